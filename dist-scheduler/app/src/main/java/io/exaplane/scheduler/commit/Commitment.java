// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import io.exaplane.scheduler.plugin.VolumePlan;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A pod that is to go to a node.
 *
 * @param volumes what becomes of its claims
 * @param volumesReady asks for them to be told, once that is written: done with true when all are
 *     bound and can be used on the node, with false when they have to be looked at
 */
public record Commitment(
    PodRef pod,
    String node,
    VolumePlan volumes,
    Supplier<CompletableFuture<Boolean>> volumesReady) {}
