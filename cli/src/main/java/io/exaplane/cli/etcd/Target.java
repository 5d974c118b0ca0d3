// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.etcd;

import io.exaplane.tuning.model.InvalidInputException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What is to be deleted: one key, or all below a prefix that names no more than one Kind. Pure.
 *
 * @param key or prefix
 * @param root that kube-apiserver's keys begin with; it ends with a slash
 */
public record Target(String key, boolean isPrefix, String root) {
  private static final String WHOLE = "would take objects of more than one Kind";

  /**
   * @throws InvalidInputException if it would take more than anybody can mean
   */
  public Target {
    if (!root.endsWith("/") || root.length() < 2) {
      throw new InvalidInputException(
          "root", root, "must be kube-apiserver's --etcd-prefix and a slash", "write /registry/");
    }
    if (key.isEmpty()) {
      throw new InvalidInputException("key", key, "must not be empty", next(root));
    }
    if (isPrefix) {
      requireOneKind(key, root);
    }
  }

  private static void requireOneKind(String prefix, String root) {
    if (root.startsWith(prefix)) {
      throw new InvalidInputException("prefix", prefix, "is the whole store", next(root));
    }
    if (!prefix.startsWith(root)) {
      if (prefix.indexOf('/', 1) < 0) {
        throw new InvalidInputException(
            "prefix", prefix, "has no slash behind its first part", "name more of the keys");
      }
      return;
    }
    List<String> parts = List.of(prefix.substring(root.length()).split("/", -1));
    int names = KeyGroup.hasTwoParts(parts.getFirst()) ? 2 : 1;
    if (parts.size() <= names || parts.subList(0, names).contains("")) {
      throw new InvalidInputException("prefix", prefix, WHOLE, next(root));
    }
  }

  private static String next(String root) {
    return "name a Kind up to its slash, for example %sconfigmaps/NAMESPACE/; 'exactl store top' lists them"
        .formatted(root);
  }

  public KeyRange range() {
    return isPrefix ? KeyRange.below(key) : KeyRange.of(key);
  }

  /** As people read it. */
  @Override
  public String toString() {
    return (isPrefix ? "below " : "with the name ") + key;
  }

  /** A key of a store as text. */
  static String text(byte[] key) {
    return new String(key, StandardCharsets.UTF_8);
  }
}
