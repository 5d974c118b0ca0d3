// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.check.ConfigurationCheck;
import io.exaplane.operator.controlplane.check.EndpointPlaceCheck;
import io.exaplane.operator.controlplane.check.NameNotice;
import io.exaplane.operator.controlplane.check.NodeAddressesNotice;
import io.exaplane.operator.controlplane.check.PullSecretCheck;
import io.exaplane.operator.controlplane.check.StorageCheck;
import io.exaplane.operator.controlplane.network.ManagementNetworks;
import io.exaplane.operator.controlplane.sizing.Model;
import io.exaplane.operator.controlplane.sizing.Sized;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.outcome.Problem;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.Optional;

/**
 * Whether a spec can be carried out, and the size that it asks for. What cannot be read for that
 * holds changes back, and neither certificates nor the status. Thread-safe: keeps nothing.
 */
@ApplicationScoped
class SpecChecks {
  private final Pinning pinning;
  private final Sizer sizer;
  private final StorageCheck storage;
  private final ManagementNetworks networks;

  SpecChecks(Pinning pinning, Sizer sizer, StorageCheck storage, ManagementNetworks networks) {
    this.pinning = pinning;
    this.sizer = sizer;
    this.storage = storage;
    this.networks = networks;
  }

  /**
   * What was found.
   *
   * @param problem the rule that the spec breaks, if it breaks one
   * @param notice what else there is to say of a spec that is carried out
   * @param unread whether something could not be read, so that nothing may be changed
   * @param judged whether it is known if the spec breaks a rule
   */
  record Found(
      Sized sized,
      Optional<Problem> problem,
      Optional<Problem> notice,
      boolean unread,
      boolean judged) {}

  /** Looks; reads that are refused are among the pass's outcomes. */
  Found look(ControlPlane controlPlane, boolean paused, Context<ControlPlane> context) {
    Outcomes outcomes = Outcomes.of(context);
    Model model = new Model();
    Collection<StoreShard> shards = context.getSecondaryResources(StoreShard.class);
    Optional<Problem> broken =
        ConfigurationCheck.check(
            controlPlane, model, shards, context.getSecondaryResources(ControlPlaneTask.class));
    Optional<Sized> read =
        outcomes.read(
            () ->
                sizer.size(
                    controlPlane, broken.isEmpty(), broken.isPresent() || paused, model, context));
    Sized sized = read.orElseGet(() -> sizer.withoutNodes(controlPlane, model, context));
    Optional<PullSecretCheck> pullSecret =
        outcomes.read(
            () ->
                PullSecretCheck.of(
                    controlPlane,
                    context.getSecondaryResources(Deployment.class),
                    context.getClient()));
    Optional<Optional<Problem>> checked =
        outcomes.read(
            () ->
                broken
                    .or(() -> pinning.pins(controlPlane, context).update().problem())
                    .or(() -> pullSecret.flatMap(PullSecretCheck::problem))
                    .or(() -> EndpointPlaceCheck.check(controlPlane))
                    .or(() -> networks.check(controlPlane, shards))
                    .or(() -> storage.check(sized.controlPlane(), shards)));
    Optional<Problem> problem = checked.flatMap(one -> one);
    return new Found(
        sized,
        problem,
        pullSecret
            .flatMap(PullSecretCheck::notice)
            .or(() -> NameNotice.of(controlPlane))
            .or(
                () ->
                    NodeAddressesNotice.of(
                        controlPlane, context.getSecondaryResources(NodePool.class))),
        read.isEmpty() || pullSecret.isEmpty() || checked.isEmpty(),
        problem.isPresent() || pullSecret.isPresent() && checked.isPresent());
  }
}
