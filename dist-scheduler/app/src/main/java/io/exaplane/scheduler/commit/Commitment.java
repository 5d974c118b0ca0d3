// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import io.exaplane.scheduler.plugin.VolumePlan;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A pod that is to go to a node.
 *
 * @param claims what becomes of its claims of devices
 * @param volumes what becomes of its claims of volumes
 * @param volumesReady asks to be told when all are bound, once that is written: with nothing when
 *     they can be used on the node, or with what is wrong
 */
public record Commitment(
    PodRef pod,
    String node,
    ClaimPlan claims,
    VolumePlan volumes,
    Supplier<CompletableFuture<String>> volumesReady) {}
