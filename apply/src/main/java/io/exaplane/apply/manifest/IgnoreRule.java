// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.manifest;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Fields of some objects that somebody else sets. In patterns, {@code *} stands for any characters.
 * Immutable.
 *
 * @param group pattern of the API group; the core group is empty
 * @param kind pattern of the kind
 * @param namespace pattern of the namespace; that of objects without one is empty
 * @param name pattern of the name
 * @param pointers JSON pointers (RFC 6901), such as {@code /spec/replicas}; {@code *} stands for
 *     each item of a list
 */
public record IgnoreRule(
    String group, String kind, String namespace, String name, List<String> pointers) {
  /** Without these, an object is no object. */
  private static final Set<List<String>> NEEDED =
      Set.of(
          List.of("apiVersion"),
          List.of("kind"),
          List.of("metadata"),
          List.of("metadata", "name"),
          List.of("metadata", "namespace"));

  /** Checks the pointers. */
  public IgnoreRule {
    pointers = List.copyOf(pointers);
    for (String one : pointers) {
      List<String> steps = steps(one);
      if (steps.isEmpty() || NEEDED.contains(steps)) {
        throw new IllegalArgumentException(
            "jsonPointers: '%s' must name a field that an object can be without; write one such as /spec/replicas"
                .formatted(one));
      }
    }
  }

  /** The names in a pointer, from the root on. */
  static List<String> steps(String pointer) {
    if (!pointer.startsWith("/")) {
      throw new IllegalArgumentException(
          "jsonPointers: '%s' must begin with a slash; write one such as /spec/replicas"
              .formatted(pointer));
    }
    List<String> steps = new ArrayList<>();
    for (String step : pointer.substring(1).split("/", -1)) {
      steps.add(step.replace("~1", "/").replace("~0", "~"));
    }
    return List.copyOf(steps);
  }

  /**
   * Whether the rule is about an object.
   *
   * @param key with its namespace, if it has one
   */
  boolean isAbout(ObjectKey key) {
    return fits(group, key.group())
        && fits(kind, key.kind())
        && fits(namespace, key.namespace())
        && fits(name, key.name());
  }

  /** Whether a pattern fits, in time that grows with both lengths only. */
  static boolean fits(String pattern, String text) {
    int at = 0;
    int in = 0;
    int star = -1;
    int mark = 0;
    while (in < text.length()) {
      if (at < pattern.length() && pattern.charAt(at) == '*') {
        star = at++;
        mark = in;
      } else if (at < pattern.length() && pattern.charAt(at) == text.charAt(in)) {
        at++;
        in++;
      } else if (star >= 0) {
        at = star + 1;
        in = ++mark;
      } else {
        return false;
      }
    }
    while (at < pattern.length() && pattern.charAt(at) == '*') {
      at++;
    }
    return at == pattern.length();
  }
}
