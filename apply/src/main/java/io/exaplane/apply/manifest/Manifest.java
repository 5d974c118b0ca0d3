// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.manifest;

import java.util.List;
import java.util.Map;

/**
 * One object as a file describes it. Immutable: nobody writes into {@code body}.
 *
 * @param gvk kind and version
 * @param key the object; its namespace is empty when the file names none
 * @param body canonical JSON in UTF-8: keys sorted, no white space, without {@code status}
 * @param hash {@link Hashes#of} of {@code body}
 * @param annotations the object's annotations, for order and options; never null
 * @param source file and line, for messages
 * @param ignored JSON pointers of fields that others set, and that {@code body} is without
 */
public record Manifest(
    Gvk gvk,
    ObjectKey key,
    byte[] body,
    long hash,
    Map<String, String> annotations,
    Source source,
    List<String> ignored) {
  /** Of which nothing is ignored. */
  public Manifest(
      Gvk gvk,
      ObjectKey key,
      byte[] body,
      long hash,
      Map<String, String> annotations,
      Source source) {
    this(gvk, key, body, hash, annotations, source, List.of());
  }

  /**
   * Where a manifest stands.
   *
   * @param file path as the user gave it, or a name such as {@code <stdin>}
   * @param line first line of the object, from 1
   */
  public record Source(String file, int line) {
    @Override
    public String toString() {
      return file + ":" + line;
    }
  }

  /** Equal when key and hash are: the body follows from the hash. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Manifest that && hash == that.hash && key.equals(that.key);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(hash);
  }

  @Override
  public String toString() {
    return key + " (" + source + ")";
  }
}
