// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.compare;

import io.exaplane.tuning.version.Component;
import io.exaplane.tuning.version.MinorVersion;
import io.exaplane.tuning.version.VersionMatrix;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Flags that a tool names as fields: kops' {@code eventTTL}, kubespray's {@code
 * kube_apiserver_request_timeout}. A field is a flag if they are equal without dashes, underscores
 * and case; other fields are the tool's own.
 */
final class NamedFields {
  /** Fields of kops and Gardener whose flags have other names. */
  private static final Map<String, String> OTHER_NAMES =
      Map.of(
          "maxnonmutatinginflight", "max-requests-inflight",
          "maxmutatinginflight", "max-mutating-requests-inflight",
          "enableprofiling", "profiling",
          "enableanonymousauthentication", "anonymous-auth");

  /** Objects whose sections have flags as fields. */
  private static final List<String> TOOLS = List.of("kops.k8s.io/", "core.gardener.cloud/");

  private final VersionMatrix matrix;
  private final Map<Component, Map<String, String>> names = new HashMap<>();

  NamedFields(VersionMatrix matrix) {
    this.matrix = matrix;
  }

  static boolean isOfTool(Map<?, ?> object) {
    String version = String.valueOf(object.get("apiVersion"));
    return TOOLS.stream().anyMatch(version::startsWith);
  }

  /** The flag that a field is, without dashes in front; null if it is none. */
  String flag(String component, String field) {
    String bare = field.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
    return Running.byName(component)
        .map(known -> names.computeIfAbsent(known, this::names).get(bare))
        .orElse(null);
  }

  private Map<String, String> names(Component component) {
    Map<String, String> all = new HashMap<>();
    for (MinorVersion version : matrix.minors()) {
      matrix
          .flags(component, version)
          .keySet()
          .forEach(name -> all.put(name.replace("-", "").toLowerCase(Locale.ROOT), name));
    }
    OTHER_NAMES.forEach(
        (field, name) -> {
          if (all.containsValue(name)) {
            all.put(field, name);
          }
        });
    return all;
  }

  /** The flags among the fields of a section, and of the maps in it. */
  List<String> flags(String component, Map<?, ?> section) {
    List<String> flags = new ArrayList<>();
    section.forEach(
        (field, value) -> {
          String name = flag(component, String.valueOf(field));
          if (name != null && value != null) {
            flags.add("--" + name + "=" + text(value));
          } else if (value instanceof Map<?, ?> inner) {
            flags.addAll(flags(component, inner));
          }
        });
    return flags;
  }

  private static String text(Object value) {
    return value instanceof Map<?, ?> pairs
        ? String.join(
            ",", pairs.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList())
        : RunningTree.text(value);
  }
}
