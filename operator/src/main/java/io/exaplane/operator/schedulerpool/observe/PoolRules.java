// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.observe;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.operator.config.PausedUntil;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.schedulerpool.hosted.KubeconfigCheck;
import io.exaplane.operator.schedulerpool.hosted.PoolTarget;
import io.exaplane.operator.schedulerpool.hosted.PoolTarget.Missing;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Rules about a pool that its schema cannot express: why it cannot be carried out. Pure. */
final class PoolRules {
  private PoolRules() {}

  /**
   * The first rule that a pool breaks, whatever its cluster is.
   *
   * @param bundle why the bundle that the spec names can't be had
   * @param pullSecret what speaks against the Secret for images
   * @param pools of the namespace
   */
  static Optional<Missing> broken(
      SchedulerPool pool,
      Optional<Problem> bundle,
      Supplier<Optional<String>> pullSecret,
      Supplier<Stream<SchedulerPool>> pools) {
    return bundle
        .map(problem -> invalid(problem.reason(), problem.message()))
        .or(
            () ->
                PausedUntil.problem(pool.getSpec().pausedUntil())
                    .map(text -> invalid(Reason.InvalidPausedUntil, text)))
        .or(
            () ->
                ResourceCheck.problem(pool.getSpec())
                    .map(text -> invalid(Reason.InvalidResources, text)))
        .or(() -> pullSecret.get().map(text -> invalid(Reason.PullSecretRefused, text + ".")))
        .or(() -> olderOfTheSameName(pool, pools.get()).map(other -> duplicate(pool, other)));
  }

  /** What is wrong with the kubeconfig of a cluster that is not Exaplane's. */
  static Optional<Missing> brokenKubeconfig(SchedulerPool pool, PoolTarget target) {
    return pool.getSpec().controlPlaneRef() == null
        ? KubeconfigCheck.problem(target.kubeconfig())
            .map(
                text ->
                    invalid(
                        Reason.InvalidKubeconfig,
                        "spec.kubeconfigSecretRef %s: %s."
                            .formatted(PoolTarget.secretOf(pool), text)))
        : Optional.empty();
  }

  /** Of a kubeconfig whose certificates and keys no client can be made of. */
  static Missing unusableKeys(SchedulerPool pool) {
    return invalid(
        Reason.InvalidKubeconfig,
        "spec.kubeconfigSecretRef %s: its certificates or keys cannot be used. Write a kubeconfig with valid ones."
            .formatted(PoolTarget.secretOf(pool)));
  }

  private static Missing duplicate(SchedulerPool pool, SchedulerPool other) {
    return invalid(
        Reason.DuplicateSchedulerName,
        "spec.schedulerName %s: SchedulerPool %s already places these pods of the same cluster; delete one of the two pools."
            .formatted(pool.getSpec().effectiveSchedulerName(), other.getMetadata().getName()));
  }

  /** They would share a Lease, and one of them would wait for ever. */
  private static Optional<SchedulerPool> olderOfTheSameName(
      SchedulerPool pool, Stream<SchedulerPool> pools) {
    Comparator<SchedulerPool> byAge =
        Comparator.comparing((SchedulerPool p) -> p.getMetadata().getCreationTimestamp())
            .thenComparing(p -> p.getMetadata().getName());
    return pools
        .filter(p -> PoolTarget.secretOf(p).equals(PoolTarget.secretOf(pool)))
        .filter(
            p ->
                p.getSpec()
                    .effectiveSchedulerName()
                    .equals(pool.getSpec().effectiveSchedulerName()))
        .filter(p -> byAge.compare(p, pool) < 0)
        .min(byAge);
  }

  private static Missing invalid(Reason reason, String message) {
    return new Missing(reason, message, true);
  }
}
