// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.retention;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.operator.controlplane.sizing.StorePlan;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.outcome.NeedsPersonException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The routes that stores and claims carry, when their control plane is removed right after a move.
 * Where only some were written, no spec would fit all claims later. Pure.
 */
final class RouteRecords {
  private RouteRecords() {}

  /**
   * The objects whose routes are still those from before a move. A spec counts as right only if
   * another object says the same, and the Services lead to the same stores: a person may have
   * written others before the removal.
   *
   * @param recorded stores and claims
   */
  static List<HasMetadata> stale(
      ControlPlane controlPlane, Collection<? extends HasMetadata> recorded) {
    StorageSpec storage = controlPlane.getSpec().storage();
    if (storage == null || storage.movedBy() == null) {
      return List.of();
    }
    List<HasMetadata> known =
        recorded.stream()
            .<HasMetadata>map(object -> object)
            .filter(object -> routes(object).isPresent())
            .toList();
    List<HasMetadata> stale =
        known.stream().filter(object -> !isSame(routes(object).get(), storage)).toList();
    return stale.size() < known.size() && isLedSo(controlPlane, storage) ? stale : List.of();
  }

  private static boolean isLedSo(ControlPlane controlPlane, StorageSpec storage) {
    return Optional.ofNullable(controlPlane.getStatus()).map(ControlPlaneStatus::routes).stream()
        .flatMap(List::stream)
        .allMatch(
            route ->
                StorageSpec.storeOf(StorageSpec.routes(storage), route.resource())
                    .equals(route.store()));
  }

  private static Optional<String> routes(HasMetadata object) {
    return Optional.ofNullable(object.getMetadata().getAnnotations())
        .map(all -> all.get(StoreNames.ROUTES_ANNOTATION));
  }

  private static boolean isSame(String routes, StorageSpec storage) {
    try {
      return StorePlan.isSame(routes, storage);
    } catch (NeedsPersonException _) {
      // Damaged: the routes of the spec take its place, as they do of any other text.
      return false;
    }
  }

  /** Of an object: the routes of the spec. */
  static Map<String, Object> patch(ControlPlane controlPlane) {
    return Map.of(
        "metadata",
        Map.of(
            "annotations",
            Map.of(
                StoreNames.ROUTES_ANNOTATION, StorePlan.text(controlPlane.getSpec().storage()))));
  }
}
