// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import io.exaplane.testbed.machine.Kubernetes;
import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Shape;
import io.exaplane.tuning.rules.Item;
import io.exaplane.tuning.version.Component;
import io.exaplane.tuning.version.Gate;
import io.exaplane.tuning.version.MinorVersion;
import io.exaplane.tuning.version.VersionMatrix;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the model says of clusters of the version under test. */
final class Clusters {
  static final VersionMatrix MATRIX = VersionMatrix.load();

  private Clusters() {}

  static MinorVersion version() {
    return MinorVersion.parse(Kubernetes.version());
  }

  /** Whether kube-apiserver of the version under test knows a gate. */
  static boolean hasGate(String name) {
    return MATRIX.gate(Component.KUBE_APISERVER, version(), name).isPresent();
  }

  /** Whether it knows a gate and has it on by itself. */
  static boolean isOn(String gate) {
    return MATRIX
        .gate(Component.KUBE_APISERVER, version(), gate)
        .map(Gate::enabledByDefault)
        .orElse(false);
  }

  static Tuning tuning(long nodes) {
    return tuning(nodes, Asked.NOTHING_MORE);
  }

  /**
   * @param more one of the maps in {@link Asked}
   */
  static Tuning tuning(long nodes, Map<Input, String> more) {
    Asked.check(nodes, more);
    return unlisted(nodes, more);
  }

  /** For a question whose inputs a test measures or calculates. */
  static Tuning unlisted(long nodes, Map<Input, String> more) {
    Map<Input, String> inputs = new EnumMap<>(Input.class);
    inputs.put(Input.KUBERNETES_VERSION, Kubernetes.version());
    inputs.put(Input.NODES, Long.toString(nodes));
    inputs.putAll(more);
    return Tuning.of(Shape.of(inputs, MATRIX), MATRIX);
  }

  /**
   * Of the distinct sizes of a component, those in which a flag or gate is said for the first time,
   * or another one is no longer said, and the largest: between them only values change.
   */
  static List<Long> sizesWithOtherNames(Component component) {
    Set<List<String>> seen = new HashSet<>();
    List<Long> sizes = new ArrayList<>();
    for (long nodes : distinctSizes(component)) {
      List<String> names =
          tuning(nodes).arguments(component).stream()
              .map(word -> word.startsWith("--feature-gates=") ? word : word.replaceAll("=.*", ""))
              .toList();
      if (seen.add(names)) {
        sizes.add(nodes);
      }
    }
    if (!sizes.contains(largest())) {
      sizes.add(largest());
    }
    return sizes;
  }

  private static long largest() {
    return Asked.SIZES[Asked.SIZES.length - 1];
  }

  /** Sizes from 100 to a million, one for each distinct set of what is said of a component. */
  static List<Long> distinctSizes(Component... components) {
    Set<List<String>> seen = new HashSet<>();
    List<Long> sizes = new ArrayList<>();
    for (long nodes : Asked.SIZES) {
      Tuning tuning = tuning(nodes);
      List<String> said = new ArrayList<>();
      for (Component component : components) {
        said.addAll(tuning.arguments(component));
        tuning
            .items(component, Item.Type.CONFIG)
            .forEach(item -> said.add(item.name() + "=" + item.value()));
      }
      if (seen.add(said)) {
        sizes.add(nodes);
      }
    }
    return sizes;
  }
}
