// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.names.PoolNames;
import io.exaplane.operator.names.Tier;
import io.exaplane.operator.schedulerpool.hosted.PoolTarget;
import io.exaplane.operator.schedulerpool.observe.PoolAddresses;
import io.exaplane.operator.schedulerpool.observe.PoolObserved;
import io.exaplane.operator.schedulerpool.render.SetRollout;
import io.exaplane.operator.status.Patience;
import io.exaplane.operator.status.Verdict;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.Arrays;
import java.util.List;

/** Which change of a pool is carried out. Pure. */
public final class ProgressingCondition {
  private ProgressingCondition() {}

  /**
   * From what was seen.
   *
   * @param wasAvailable whether the pool scheduled before
   */
  public static Verdict of(PoolObserved observed, boolean wasAvailable) {
    if (observed.missing().isPresent()) {
      PoolTarget.Missing missing = observed.missing().get();
      return Verdict.of(
          !missing.invalid(),
          missing.reason(),
          missing.invalid()
              ? "The spec is invalid. Running pods are left unchanged; see ConfigurationValid."
              : missing.message());
    }
    PoolNames names = new PoolNames(observed.pool());
    List<String> rolling =
        Arrays.stream(Tier.values())
            .filter(tier -> tier.replicas(observed.pool().getSpec()) > 0)
            .filter(
                tier ->
                    observed
                        .set(tier)
                        .filter(set -> isThere(observed, tier, set, wasAvailable))
                        .isEmpty())
            .map(names::of)
            .toList();
    return rolling.isEmpty()
        ? Verdict.no(
            Reason.AsExpected,
            "Everything matches the spec."
                + PoolAddresses.lost(observed.services()).map(lost -> " " + lost).orElse(""))
        : Verdict.yes(
            wasAvailable ? Reason.RollingOut : Reason.Creating,
            "The operator is creating or replacing pods of %s, shards first and roots last.%s"
                .formatted(String.join(", ", rolling), Patience.NO_ACTION));
  }

  /** One that was replaced and is not ready any more is Degraded's affair. */
  private static boolean isThere(
      PoolObserved observed, Tier tier, StatefulSet set, boolean wasAvailable) {
    return SetRollout.isReplaced(set)
        && SetRollout.replicas(set) == tier.replicas(observed.pool().getSpec())
        && (wasAvailable || SetRollout.isComplete(set));
  }
}
