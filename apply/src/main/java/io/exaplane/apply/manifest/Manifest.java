// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.manifest;

import java.util.List;
import java.util.Map;

/**
 * One object as a file describes it. Immutable: nobody writes into what {@link #body} gives. Any
 * thread. About 170 bytes with key and place, and the body, which readings pack ({@link Packer}).
 */
public final class Manifest {
  private final Gvk gvk;
  private final ObjectKey key;

  /** The body, packed if that is shorter than {@link #bodyBytes}. */
  private final byte[] stored;

  private final int bodyBytes;
  private final long hash;
  private final Map<String, String> annotations;
  private final Source source;
  private final List<String> ignored;

  private Manifest(
      Gvk gvk,
      ObjectKey key,
      byte[] stored,
      int bodyBytes,
      long hash,
      Map<String, String> annotations,
      Source source,
      List<String> ignored) {
    this.gvk = gvk;
    this.key = key;
    this.stored = stored;
    this.bodyBytes = bodyBytes;
    this.hash = hash;
    this.annotations = annotations;
    this.source = source;
    this.ignored = ignored;
  }

  /**
   * Of an object.
   *
   * @param gvk kind and version
   * @param key the object; its namespace is empty when the file names none
   * @param body canonical JSON in UTF-8: keys sorted, no white space, without {@code status}
   * @param hash {@link Hashes#of} of {@code body}
   * @param annotations the object's annotations, for order and options; never null
   * @param source file and line, for messages
   * @param ignored JSON pointers of fields that others set, and that {@code body} is without
   */
  public Manifest(
      Gvk gvk,
      ObjectKey key,
      byte[] body,
      long hash,
      Map<String, String> annotations,
      Source source,
      List<String> ignored) {
    this(gvk, key, body, body.length, hash, annotations, source, ignored);
  }

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

  /**
   * Kind and version.
   *
   * @return as the file has them
   */
  public Gvk gvk() {
    return gvk;
  }

  /**
   * The object.
   *
   * @return its namespace is empty when the file names none
   */
  public ObjectKey key() {
    return key;
  }

  /**
   * The object's text. A packed one is unpacked by each call, in some ten microseconds: ask for
   * {@link #bodyBytes} or {@link #hash} if that is enough.
   *
   * @return canonical JSON in UTF-8: keys sorted, no white space, without {@code status}
   */
  public byte[] body() {
    return stored.length == bodyBytes ? stored : Packer.unpacked(stored, bodyBytes);
  }

  /**
   * How long {@link #body} is.
   *
   * @return bytes
   */
  public int bodyBytes() {
    return bodyBytes;
  }

  /** How many bytes are kept of the body. */
  int storedBytes() {
    return stored.length;
  }

  /**
   * The hash of the body.
   *
   * @return {@link Hashes#of} of it
   */
  public long hash() {
    return hash;
  }

  /**
   * The object's annotations, for order and options.
   *
   * @return never null
   */
  public Map<String, String> annotations() {
    return annotations;
  }

  /**
   * Where it stands.
   *
   * @return file and line, for messages
   */
  public Source source() {
    return source;
  }

  /**
   * Fields that others set, and that the body is without.
   *
   * @return JSON pointers
   */
  public List<String> ignored() {
    return ignored;
  }

  /**
   * The same object under another key.
   *
   * @param other with the namespace that the server takes, for example
   * @return shares the body
   */
  public Manifest as(ObjectKey other) {
    return other.equals(key) ? this : with(gvk, other, source);
  }

  /** The same body, with words that many manifests share, at another place. */
  Manifest with(Gvk sharedGvk, ObjectKey sharedKey, Source place) {
    return new Manifest(sharedGvk, sharedKey, stored, bodyBytes, hash, annotations, place, ignored);
  }

  /** The same with its body packed, if that is shorter. */
  Manifest packed(Packer packer) {
    byte[] shorter = stored.length == bodyBytes ? packer.packed(stored) : stored;
    return shorter == stored
        ? this
        : new Manifest(gvk, key, shorter, bodyBytes, hash, annotations, source, ignored);
  }

  /** Equal when key and hash are: the body follows from the hash. */
  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof Manifest that && hash == that.hash && key.equals(that.key);
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
