// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.etcd;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Keys of one Kind and namespace, as kube-apiserver writes keys: {@code
 * /registry/RESOURCE/NAMESPACE/NAME}, {@code /registry/GROUP/RESOURCE/NAMESPACE/NAME} where the
 * group has a dot, and {@code /registry/services/specs} and {@code …/endpoints}. Pure.
 *
 * @param kind as in {@code pods} or {@code widgets.example.com}; {@link #OTHER}'s for other keys
 * @param namespace empty if there is none
 * @param prefix with which all keys of the group begin; empty if they have none in common
 */
public record KeyGroup(String kind, String namespace, String prefix) {
  /** Keys that are not kube-apiserver's. */
  public static final KeyGroup OTHER = new KeyGroup("other", "", "");

  /** Of kube-apiserver's {@code --etcd-prefix}, by default. */
  public static final String ROOT = "/registry/";

  /** The group of a key. */
  public static KeyGroup of(byte[] key, String root) {
    String text = new String(key, StandardCharsets.UTF_8);
    if (!text.startsWith(root)) {
      return OTHER;
    }
    List<String> parts = List.of(text.substring(root.length()).split("/", -1));
    int names = hasTwoParts(parts.getFirst()) && parts.size() > 2 ? 2 : 1;
    if (parts.size() <= names) {
      return OTHER;
    }
    boolean isNamespaced = parts.size() > names + 1;
    String namespace = isNamespaced ? parts.get(names) : "";
    String prefix = root + String.join("/", parts.subList(0, names)) + "/";
    return new KeyGroup(
        kind(parts, names), namespace, isNamespaced ? prefix + namespace + "/" : prefix);
  }

  /** Whether the first part of a key's path names a resource only with the second one. */
  static boolean hasTwoParts(String first) {
    return first.indexOf('.') >= 0 || first.equals("services");
  }

  private static String kind(List<String> parts, int names) {
    if (names == 1) {
      return parts.getFirst();
    }
    if (parts.getFirst().equals("services")) {
      return parts.get(1).equals("specs") ? "services" : parts.get(1);
    }
    return parts.get(1) + "." + parts.getFirst();
  }

  /** The group of all keys of the Kind. */
  KeyGroup ofKind() {
    return namespace.isEmpty()
        ? this
        : new KeyGroup(kind, "", prefix.substring(0, prefix.length() - namespace.length() - 1));
  }
}
