// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.dependent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.api.v1alpha1.AddonSpec;
import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.operator.bundle.Pins;
import io.exaplane.operator.controlplane.builtin.BuiltIns;
import io.exaplane.operator.controlplane.builtin.Facts;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.render.Inputs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The built-in add-ons of one pass as the control plane's bundle made them. They move to another
 * bundle after all other objects.
 */
final class BuiltInPins {
  private final Pins pins;
  private final Observed observed;
  private final Supplier<Optional<Inputs>> former;
  private final Map<String, ObjectNode> objects = new TreeMap<>();

  /**
   * Of one pass.
   *
   * @param former with which the running operator makes objects for the wishes of before
   * @param moves whether they are to be of the running operator's bundle from now on
   */
  BuiltInPins(Pins pins, Observed observed, Supplier<Optional<Inputs>> former, boolean moves) {
    this.pins = pins;
    this.observed = observed;
    this.former = former;
    for (AddonSpec addon : of(spec())) {
      objects(addon, moves).ifPresent(made -> objects.put(addon.name(), made));
    }
  }

  private ControlPlaneSpec spec() {
    return observed.controlPlane().spec();
  }

  private static List<AddonSpec> of(ControlPlaneSpec spec) {
    return spec.addons() == null
        ? List.of()
        : spec.addons().stream().filter(addon -> addon.builtIn() != null).toList();
  }

  /** The names under which they are pinned. */
  List<String> names() {
    return of(spec()).stream().map(BuiltIns::name).toList();
  }

  private Optional<ObjectNode> objects(AddonSpec addon, boolean moves) {
    String name = BuiltIns.name(addon);
    if (observed.completeInputs().isEmpty()) {
      return pins.kept(name, ObjectNode.class);
    }
    if (moves) {
      pins.leave(name);
    }
    ObjectNode made = BuiltIns.objects(spec(), addon, observed.inputs().images());
    return Optional.of(
        pins.apply(name, made, Optional::empty, moves, () -> former(name).orElse(made)));
  }

  private Optional<ObjectNode> former(String name) {
    return former
        .get()
        .flatMap(
            before ->
                of(before.controlPlane().spec()).stream()
                    .filter(addon -> BuiltIns.name(addon).equals(name))
                    .findFirst()
                    .map(
                        addon ->
                            BuiltIns.objects(
                                before.controlPlane().spec(), addon, before.images())));
  }

  /** The files of the sources, by the source's name; none before the API has an address. */
  Map<String, String> files() {
    Map<String, String> files = new TreeMap<>();
    observed
        .endpoint()
        .map(endpoint -> Facts.of(observed.controlPlane().asked(), endpoint))
        .ifPresent(facts -> objects.forEach((name, made) -> files.put(name, facts.file(made))));
    return files;
  }
}
