// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.server;

import io.exaplane.apply.manifest.Gvk;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.ResourceType;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Paths of an API server, encoded. Pure. */
final class Paths {
  /**
   * What stands in a segment or a query as it is (RFC 3986), without {@code &}, {@code =} and
   * {@code +}.
   */
  private static final String PLAIN =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:@!$'()*,;";

  private Paths() {}

  /** All objects of a kind, in all namespaces. */
  static String everywhere(ResourceType type) {
    return version(type.gvk()) + "/" + encoded(type.plural());
  }

  /** One object. */
  static String object(ResourceType type, ObjectKey key) {
    if (type.namespaced() == key.namespace().isEmpty()) {
      throw new IllegalArgumentException(
          "namespace: '"
              + key.namespace()
              + "' of "
              + key
              + (type.namespaced() ? " must be set" : " must be empty, since the kind has none"));
    }
    return version(type.gvk())
        + (type.namespaced() ? "/namespaces/" + encoded(key.namespace()) : "")
        + "/"
        + encoded(type.plural())
        + "/"
        + encoded(key.name());
  }

  private static String version(Gvk gvk) {
    return gvk.group().isEmpty()
        ? "/api/" + encoded(gvk.version())
        : "/apis/" + encoded(gvk.group()) + "/" + encoded(gvk.version());
  }

  /** A word as a segment of a path, or as a value of a query. */
  static String encoded(String word) {
    if (word.equals(".") || word.equals("..")) {
      throw new IllegalArgumentException("'" + word + "' is no name of an object");
    }
    StringBuilder out = new StringBuilder(word.length());
    for (byte one : word.getBytes(StandardCharsets.UTF_8)) {
      if (one > 0 && PLAIN.indexOf(one) >= 0) {
        out.append((char) one);
      } else {
        out.append('%').append(HexFormat.of().withUpperCase().toHexDigits(one));
      }
    }
    return out.toString();
  }
}
