// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import io.exaplane.scheduler.engine.plugin.VolumePlan;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A pod that is to go to a node.
 *
 * @param tellsWhere whether the pod's status says where it is to go, before anything else is
 *     written
 * @param preparation is over when the binding is sent, or the pod held back
 * @param claims what becomes of its claims of devices
 * @param claimsReady asks to be told when devices with binding conditions are ready, once all is
 *     written, of the claim too that was made, or null: with nothing when they are, or with what is
 *     wrong
 * @param volumes what becomes of its claims of volumes
 * @param volumesReady asks to be told when all are bound, once that is written: with nothing when
 *     they can be used on the node, or with what is wrong
 */
public record Commitment(
    PodRef pod,
    String node,
    boolean tellsWhere,
    Preparation preparation,
    ClaimPlan claims,
    Function<ResourceClaim, CompletableFuture<String>> claimsReady,
    VolumePlan volumes,
    Supplier<CompletableFuture<String>> volumesReady) {}
