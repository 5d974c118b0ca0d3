// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.observe;

import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.operator.names.PoolNames;
import io.exaplane.operator.names.Tier;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.schedulerpool.hosted.PoolTarget;
import io.exaplane.operator.schedulerpool.hosted.PoolView;
import io.exaplane.operator.schedulerpool.render.PoolInputs;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one reconciliation found. Immutable.
 *
 * @param missing why nothing is done; empty if all that is needed is known
 * @param view what its cluster said last
 * @param completeInputs what its objects are made from; only there when complete
 * @param sets its StatefulSets by name
 * @param fallback the stand-in, if there is one
 * @param pods of its tiers
 * @param services addresses of roots and relays
 * @param notice what there is to say of a spec that is carried out
 * @param nextChange when a stand-in comes or goes, or a certificate is renewed
 */
public record PoolObserved(
    SchedulerPool pool,
    Optional<PoolTarget> target,
    Optional<PoolTarget.Missing> missing,
    Optional<PoolView> view,
    Optional<PoolInputs> completeInputs,
    Map<String, StatefulSet> sets,
    Optional<Deployment> fallback,
    List<Pod> pods,
    List<Service> services,
    Optional<Problem> notice,
    List<Instant> nextChange) {

  private static final String KEY = PoolObserved.class.getName();

  /** Hands this over to the dependents of the same reconciliation. */
  public void share(Context<SchedulerPool> context) {
    context.managedWorkflowAndDependentResourceContext().put(KEY, this);
  }

  /** What the reconciler handed over. */
  public static PoolObserved of(Context<SchedulerPool> context) {
    return context
        .managedWorkflowAndDependentResourceContext()
        .getMandatory(KEY, PoolObserved.class);
  }

  /** What objects are made from; the workflow asks only when it is complete. */
  public PoolInputs inputs() {
    return completeInputs.orElseThrow();
  }

  /** The StatefulSet of a tier, if there is one. */
  public Optional<StatefulSet> set(Tier tier) {
    return Optional.ofNullable(sets.get(new PoolNames(pool).of(tier)));
  }

  /** The pods of a tier. */
  public List<Pod> pods(Tier tier) {
    return pods.stream()
        .filter(pod -> PoolNames.isOf(tier, pod.getMetadata().getLabels()))
        .toList();
  }
}
