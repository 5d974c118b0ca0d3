// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * For each Kubernetes minor that can be run, the built-in resources that a store can hold. Read
 * once from {@code builtin-resources-<minor>.txt}, which {@code testbed/kube/builtin-resources}
 * writes from a real kube-apiserver's discovery. Immutable.
 */
public final class BuiltinResources {
  /** The minors, in order. */
  public static final List<String> MINORS = List.of("1.35", "1.36", "1.37");

  private static final Map<String, Set<String>> RESOURCES = load();

  private BuiltinResources() {}

  /** The stored resources of each minor as {@code group/resource}. */
  public static Map<String, Set<String>> byMinor() {
    return RESOURCES;
  }

  /** Those of a version, as 1.36.3; none of a version that cannot be run. */
  public static Set<String> ofVersion(String version) {
    return RESOURCES.getOrDefault(version.substring(0, version.lastIndexOf('.')), Set.of());
  }

  private static Map<String, Set<String>> load() {
    Map<String, Set<String>> all = new TreeMap<>();
    for (String minor : MINORS) {
      try (InputStream in =
          BuiltinResources.class.getResourceAsStream("/builtin-resources-" + minor + ".txt")) {
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
