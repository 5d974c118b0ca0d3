// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The differences that the ConfigMap of a bundle showed while this was open. A difference is its
 * changed lines, each with its sign and without its indentation, sorted. Thread-safe.
 */
final class ShownDifferences implements ResourceEventHandler<ConfigMap>, AutoCloseable {
  private final Set<List<String>> shown = new LinkedHashSet<>();
  private final SharedIndexInformer<ConfigMap> informer;

  ShownDifferences(String configMap, String namespace) {
    informer = Bed.CLIENT.configMaps().inNamespace(namespace).withName(configMap).inform(this);
  }

  /** What a ConfigMap shows now; no lines for no difference. */
  static List<String> now(String configMap, String namespace) {
    return lines(Bed.CLIENT.configMaps().inNamespace(namespace).withName(configMap).get());
  }

  /** The way back of a difference. */
  static List<String> reverse(List<String> difference) {
    return difference.stream()
        .map(line -> (line.startsWith("-") ? "+" : "-") + line.substring(1))
        .sorted()
        .toList();
  }

  private static List<String> lines(ConfigMap map) {
    if (map == null || map.getData() == null) {
      return List.of();
    }
    return map.getData()
        .getOrDefault("diff", "")
        .lines()
        .filter(line -> line.startsWith("+") || line.startsWith("-"))
        .filter(line -> !line.startsWith("+++ ") && !line.startsWith("--- "))
        .map(line -> line.charAt(0) + " " + line.substring(1).strip())
        .sorted()
        .toList();
  }

  @Override
  public void onAdd(ConfigMap map) {
    note(map);
  }

  @Override
  public void onUpdate(ConfigMap before, ConfigMap map) {
    note(map);
  }

  @Override
  public void onDelete(ConfigMap map, boolean finalStateUnknown) {
    // What was shown was shown.
  }

  private synchronized void note(ConfigMap map) {
    shown.add(lines(map));
  }

  synchronized boolean has(List<String> difference) {
    return shown.contains(difference);
  }

  @Override
  public synchronized String toString() {
    return shown.toString();
  }

  @Override
  public void close() {
    informer.close();
  }
}
