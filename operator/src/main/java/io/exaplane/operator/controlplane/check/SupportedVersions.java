// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The Kubernetes minors that can be run and, for each, the built-in resources that a store can
 * hold. Read once from {@code builtin-resources-<minor>.txt}, which {@code
 * testbed/kube/builtin-resources} writes from a real kube-apiserver's discovery. Immutable.
 */
public final class SupportedVersions {
  private static final String[] MINORS = {"1.35", "1.36", "1.37"};
  private static final Map<String, Set<String>> RESOURCES = load();

  private SupportedVersions() {}

  /** The minors, in order. */
  public static Set<String> minors() {
    return RESOURCES.keySet();
  }

  /** The minors as users read them: 1.35, 1.36 and 1.37. */
  static String text() {
    int last = MINORS.length - 1;
    return String.join(", ", Arrays.copyOf(MINORS, last)) + " and " + MINORS[last];
  }

  /** The minor of a version: 1.36 of 1.36.3. */
  public static String minor(String version) {
    return version.substring(0, version.lastIndexOf('.'));
  }

  /** The stored resources of a minor as {@code group/resource}. */
  public static Set<String> resources(String minor) {
    return RESOURCES.get(minor);
  }

  private static Map<String, Set<String>> load() {
    Map<String, Set<String>> all = new TreeMap<>();
    for (String minor : MINORS) {
      try (InputStream in =
          SupportedVersions.class.getResourceAsStream("/builtin-resources-" + minor + ".txt")) {
        String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        all.put(
            minor,
            text.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .collect(Collectors.toUnmodifiableSet()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return Collections.unmodifiableMap(all);
  }
}
