// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import io.exaplane.api.v1alpha1.AddonSpec;
import io.exaplane.api.v1alpha1.AddonStatus;
import io.exaplane.api.v1alpha1.ControlPlane;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All sources of a control plane: those of the spec, and removed ones that the status still knows.
 * Immutable.
 *
 * @param wishes those of the spec in its order, then removed ones
 */
record AddonPlan(List<AddonWish> wishes) {
  AddonPlan {
    wishes = List.copyOf(wishes);
  }

  static AddonPlan of(ControlPlane controlPlane) {
    return of(controlPlane, Map.of());
  }

  /**
   * The same with built-in sources.
   *
   * @param builtIns their objects in YAML, by the source's name
   */
  static AddonPlan of(ControlPlane controlPlane, Map<String, String> builtIns) {
    List<AddonSpec> specs =
        controlPlane.getSpec().addons() == null
            ? List.of()
            : controlPlane.getSpec().addons().stream()
                .map(
                    spec ->
                        spec.builtIn() == null ? spec : spec.withInline(builtIns.get(spec.name())))
                .toList();
    Map<String, AddonStatus> noted = new LinkedHashMap<>();
    if (controlPlane.getStatus() != null && controlPlane.getStatus().addons() != null) {
      controlPlane.getStatus().addons().forEach(one -> noted.put(one.name(), one));
    }
    if (specs.isEmpty() && noted.isEmpty()) {
      return new AddonPlan(List.of());
    }
    Long generation = controlPlane.getMetadata().getGeneration();
    Map<String, AddonSpec> byName = new HashMap<>();
    specs.forEach(spec -> byName.put(spec.name(), spec));
    List<AddonWish> wishes = new ArrayList<>();
    for (AddonSpec spec : specs) {
      wishes.add(
          new AddonWish(
              spec,
              generation,
              Optional.ofNullable(noted.remove(spec.name())),
              false,
              cycle(spec, byName)));
    }
    for (AddonStatus left : noted.values()) {
      wishes.add(
          new AddonWish(removed(left), generation, Optional.of(left), true, Optional.empty()));
    }
    return new AddonPlan(wishes);
  }

  private static AddonSpec removed(AddonStatus left) {
    return new AddonSpec(
        left.name(),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        left.prune(),
        null,
        null,
        null,
        null,
        left.serviceAccount(),
        null,
        null,
        null,
        null,
        null);
  }

  /** The way from a source back to itself, as {@code a, b, a}. */
  private static Optional<String> cycle(AddonSpec spec, Map<String, AddonSpec> byName) {
    List<String> way = new ArrayList<>();
    return leadsTo(spec, spec.name(), byName, way, new HashSet<>())
        ? Optional.of(spec.name() + ", " + String.join(", ", way))
        : Optional.empty();
  }

  private static boolean leadsTo(
      AddonSpec from,
      String name,
      Map<String, AddonSpec> byName,
      List<String> way,
      Set<String> seen) {
    for (String need : from.needs()) {
      way.add(need);
      if (need.equals(name)
          || byName.containsKey(need)
              && seen.add(need)
              && leadsTo(byName.get(need), name, byName, way, seen)) {
        return true;
      }
      way.removeLast();
    }
    return false;
  }

  boolean isEmpty() {
    return wishes.isEmpty();
  }

  /**
   * Whether a status that tells this no longer has the inventory of a removed source: who goes on
   * with the removal waits until it was written.
   */
  boolean losesInventories(List<AddonReport> told) {
    return wishes.stream()
        .filter(AddonWish::removed)
        .filter(wish -> wish.noted().filter(status -> status.inventory() != null).isPresent())
        .anyMatch(
            wish ->
                told.stream()
                    .map(AddonReport::status)
                    .anyMatch(
                        status -> status.name().equals(wish.name()) && status.inventory() == null));
  }

  /** Whether the status names each source; as long as it does not, those wait. */
  boolean isNoted() {
    return wishes.stream().allMatch(AddonWish::isNoted);
  }
}
