// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.ReservedNames;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.status.Verdict;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Whether the spec of a store can be carried out, with what is said of one from before a rule. Of a
 * control plane's stores the ControlPlane is told. Pure.
 */
public final class ConfigurationValidCondition {
  private ConfigurationValidCondition() {}

  /**
   * From what was seen.
   *
   * @param bundle why the bundle that is asked for cannot be had
   * @param pullSecret what there is to say of the Secret with which its pod pulls; asked of a
   *     person's store alone
   */
  public static Verdict of(
      StoreShard shard, Optional<Problem> bundle, Supplier<Optional<Problem>> pullSecret) {
    return bundle
        .map(problem -> Verdict.no(problem.reason(), problem.message()))
        .orElseGet(() -> of(shard, pullSecret));
  }

  private static Verdict of(StoreShard shard, Supplier<Optional<Problem>> pullSecret) {
    return Optional.of(shard)
        .filter(any -> StoreNames.controlPlaneUid(any).isEmpty())
        .flatMap(any -> pullSecret.get().or(() -> name(any)))
        .map(said -> Verdict.yes(said.reason(), said.message()))
        .orElseGet(() -> Verdict.yes(Reason.AsExpected, "The spec is valid."));
  }

  private static Optional<Problem> name(StoreShard shard) {
    String name = shard.getMetadata().getName();
    return ReservedNames.isOfStoreShard(name)
        ? Optional.of(
            Problem.of(
                Reason.NameReserved,
                "metadata.name %s: new StoreShards cannot have such a name, since objects of another owner can have the same names. This StoreShard keeps it. In namespace %s, create no ControlPlane or SchedulerPool whose name begins with the first part of %1$s.",
                name,
                shard.getMetadata().getNamespace()))
        : Optional.empty();
  }
}
