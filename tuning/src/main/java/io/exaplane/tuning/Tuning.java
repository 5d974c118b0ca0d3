// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning;

import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Shape;
import io.exaplane.tuning.rules.Figure;
import io.exaplane.tuning.rules.Item;
import io.exaplane.tuning.rules.Kept;
import io.exaplane.tuning.rules.Limit;
import io.exaplane.tuning.rules.Rules;
import io.exaplane.tuning.rules.Warning;
import io.exaplane.tuning.version.Component;
import io.exaplane.tuning.version.VersionMatrix;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a cluster's control plane should be set to, and why.
 *
 * @param items values that differ from the version's defaults
 * @param warnings what can't be met
 * @param figures what is to be expected
 * @param kept flags that rules looked at and left at the version's defaults
 * @param limits what the control plane may run out of, exceeded or not
 */
public record Tuning(
    Estimate estimate,
    List<Item> items,
    List<Warning> warnings,
    List<Figure> figures,
    List<Kept> kept,
    List<Limit> limits) {
  /**
   * Asks the model.
   *
   * @throws io.exaplane.tuning.model.InvalidInputException if the shape can't be
   */
  public static Tuning of(Shape shape, VersionMatrix matrix) {
    Estimate estimate = Estimate.of(shape);
    Rules.Answer answer = Rules.apply(estimate, matrix);
    return new Tuning(
        estimate,
        answer.items(),
        answer.warnings(),
        answer.figures(),
        answer.kept(),
        answer.limits());
  }

  /** The items of one component and type. */
  public List<Item> items(Component component, Item.Type kind) {
    return items.stream()
        .filter(item -> item.component() == component && item.kind() == kind)
        .toList();
  }

  /**
   * A component's configuration file, of what differs from the defaults: that of the kubelet or of
   * kube-scheduler. The caller may add to it.
   */
  public Map<String, Object> configuration(Component component) {
    Map<String, Object> file = new LinkedHashMap<>();
    boolean kubelet = component == Component.KUBELET;
    file.put(
        "apiVersion",
        (kubelet ? "kubelet.config.k8s.io/v1beta1" : "kubescheduler.config.k8s.io/v1"));
    file.put("kind", kubelet ? "KubeletConfiguration" : "KubeSchedulerConfiguration");
    items(component, Item.Type.CONFIG).forEach(item -> put(file, item.name(), item.value()));
    return file;
  }

  /** Puts a value into a configuration file where its name, with points between, says. */
  @SuppressWarnings("unchecked")
  public static void put(Map<String, Object> file, String name, Object value) {
    Map<String, Object> parent = file;
    String[] parts = name.split("\\.");
    for (String part : Arrays.copyOf(parts, parts.length - 1)) {
      parent = (Map<String, Object>) parent.computeIfAbsent(part, any -> new LinkedHashMap<>());
    }
    parent.put(parts[parts.length - 1], value);
  }

  /** A component's flags as its command line has them, its gates in one of them. */
  public List<String> arguments(Component component) {
    String gates =
        items(component, Item.Type.GATE).stream()
            .map(gate -> gate.name() + "=" + gate.value())
            .collect(Collectors.joining(","));
    return Stream.concat(
            items(component, Item.Type.FLAG).stream()
                .map(flag -> "--" + flag.name() + "=" + flag.value()),
            gates.isEmpty() ? Stream.empty() : Stream.of("--feature-gates=" + gates))
        .toList();
  }
}
