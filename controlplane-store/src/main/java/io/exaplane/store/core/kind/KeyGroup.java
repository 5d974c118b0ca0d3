// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.kind;

import java.nio.charset.StandardCharsets;

/**
 * How a key is grouped when somebody asks who takes the space: by Kind and namespace. Pure.
 *
 * <p>kube-apiserver's keys are {@code /registry/RESOURCE/NAMESPACE/NAME} or, of a Kind without
 * namespaces, {@code /registry/RESOURCE/NAME}; see {@link KeyClasses} for the beginning.
 *
 * @param kind as in {@code pods} or {@code widgets.example.com}
 * @param namespace empty if there is none
 * @param prefix with which all keys of the group begin; empty if they have none in common
 */
public record KeyGroup(String kind, String namespace, String prefix) {
  /** As long as names in Kubernetes can be, and what is put around them. */
  private static final int MOST_PREFIX_BYTES = 1024;

  /** Keys that are not kube-apiserver's. */
  public static final KeyGroup OTHER = new KeyGroup(KeyClasses.OTHER, "", "");

  /** The group of a key's Kind and namespace. */
  public static KeyGroup of(byte[] key) {
    int kindEnd = KeyClasses.kindEnd(key, 0, key.length);
    int namespaceEnd = next(key, kindEnd);
    boolean isNamespaced = namespaceEnd < key.length;
    int end = isNamespaced ? namespaceEnd : kindEnd;
    String kind = KeyClasses.kind(key, 0, key.length);
    if (kind.equals(KeyClasses.OTHER) || kindEnd >= key.length || end > MOST_PREFIX_BYTES) {
      return OTHER;
    }
    String namespace = isNamespaced ? text(key, kindEnd + 1, namespaceEnd) : "";
    return new KeyGroup(kind, namespace, text(key, 0, end + 1));
  }

  /** The group of all keys of the Kind. */
  public KeyGroup ofKind() {
    String whole =
        namespace.isEmpty() && !prefix.endsWith("//")
            ? prefix
            : prefix.substring(0, prefix.length() - namespace.length() - 1);
    return new KeyGroup(kind, "", whole);
  }

  private static int next(byte[] key, int slash) {
    int at = slash + 1;
    while (at < key.length && key[at] != '/') {
      at++;
    }
    return at;
  }

  private static String text(byte[] key, int from, int to) {
    return new String(key, from, to - from, StandardCharsets.UTF_8);
  }
}
