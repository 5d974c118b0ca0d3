// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreShard;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A control plane as it is to be made now: of the size that counts, with the stores that were
 * chosen when it was made, and what the model says of it. Immutable.
 *
 * @param controlPlane with that size and those stores in its spec; otherwise as the user wrote it
 * @param missingRoutes resources that the model would give stores of their own, and that have none
 * @param tuned what the model says; not there for a version that it does not know
 * @param resources of kube-apiserver; there when {@code tuned} is
 */
public record Sized(
    ControlPlane controlPlane,
    Size size,
    List<ResourceRef> missingRoutes,
    Optional<Tuned> tuned,
    Optional<ApiServerResources> resources) {

  /**
   * What the cluster shows of what was made before.
   *
   * @param apiServer what kube-apiserver's container has, once there is one
   */
  public record Before(
      Collection<StoreShard> shards,
      Optional<ApiServerResources.Running> apiServer,
      Supplier<Collection<NodeCapacity>> nodes) {}

  /**
   * Sizes a control plane.
   *
   * @param valid whether the spec can be carried out; one that can't has no answer from the model
   * @param hold whether nothing may be changed just now
   */
  public static Sized of(
      ControlPlane controlPlane, boolean valid, boolean hold, Before before, Instant now) {
    Size size = Size.of(controlPlane, before.apiServer().isPresent(), hold, now);
    ControlPlaneSpec asked = controlPlane.getSpec();
    // The stores that are chosen are no input of the model, so one answer does for all.
    Optional<Tuned> tuned =
        valid
            ? Optional.of(Tuned.of(asked.with(size.maxNodes(), asked.storage()), asked.version()))
            : Optional.empty();
    List<ResourceRef> routed = tuned.map(Tuned::routedResources).orElse(List.of());
    StorageSpec storage = StorePlan.of(controlPlane, before.shards(), routed);
    return new Sized(
        copy(controlPlane, asked.with(size.maxNodes(), storage)),
        size,
        StorePlan.missing(storage, routed),
        tuned,
        tuned.map(
            answer -> ApiServerResources.of(answer, asked, before.apiServer(), before.nodes())));
  }

  private static ControlPlane copy(ControlPlane controlPlane, ControlPlaneSpec spec) {
    ControlPlane copy = new ControlPlane();
    copy.setMetadata(controlPlane.getMetadata());
    copy.setSpec(spec);
    copy.setStatus(controlPlane.getStatus());
    return copy;
  }
}
