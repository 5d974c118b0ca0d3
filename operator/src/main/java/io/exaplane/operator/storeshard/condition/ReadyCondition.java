// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreDataLoss;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.rollout.Rollout;
import io.exaplane.operator.status.Verdict;
import io.exaplane.operator.storeshard.data.LossText;
import io.exaplane.operator.storeshard.dependent.StoreAddress;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.Optional;
import java.util.function.Supplier;

/** Whether a store serves. Pure. */
public final class ReadyCondition {
  private ReadyCondition() {}

  /**
   * What the condition follows from. Immutable.
   *
   * @param loss the data that the store does not find
   * @param heldBack why the operator lets the store not start: its Secret or its claim
   * @param stalled whether the store runs and says that it cannot write its journal
   * @param pullSecret why the pod may not pull its image; asked only of a store that does not serve
   * @param podState what keeps a pod that is not ready; asked only then
   */
  public record Seen(
      StoreShard shard,
      Optional<StoreDataLoss> loss,
      Optional<Verdict> heldBack,
      Optional<StatefulSet> set,
      Optional<Pod> pod,
      Optional<Service> service,
      boolean stalled,
      Supplier<Optional<String>> pullSecret,
      Supplier<String> podState) {}

  /**
   * From what was seen.
   *
   * @param wasMet whether the store served before
   */
  public static Verdict of(Seen seen, boolean wasMet) {
    if (seen.loss().isPresent()) {
      return Verdict.no(
          Reason.StoreDataLost, LossText.whereItIsAccepted(seen.shard(), seen.loss().get()));
    }
    if (serves(seen) && seen.heldBack().filter(held -> !servesWith(held)).isEmpty()) {
      return serving(seen);
    }
    return seen.heldBack().orElseGet(() -> notServing(seen, wasMet));
  }

  /**
   * Of a store whose claim the operator does not take.
   *
   * @param objection why, with the next action
   */
  public static Verdict claimOfAnother(String objection) {
    return Verdict.no(Reason.ClaimOfAnother, objection);
  }

  /** A process that runs has read its certificate: without its Secret, the next one won't start. */
  private static boolean servesWith(Verdict heldBack) {
    return heldBack.reason() == Reason.TLSSecretMissing;
  }

  private static boolean serves(Seen seen) {
    return seen.set()
        .map(StatefulSet::getStatus)
        .filter(status -> Rollout.count(status.getReadyReplicas()) > 0)
        .isPresent();
  }

  private static Verdict serving(Seen seen) {
    return Verdict.yes(
        Reason.AsExpected,
        "The store serves."
            + seen.pod()
                .flatMap(pod -> StoreQuality.remark(seen.shard(), pod))
                .map(remark -> " " + remark)
                .orElse("")
            + StoreAddress.lost(seen.shard(), seen.service()).map(remark -> " " + remark).orElse("")
            + seen.heldBack()
                .map(held -> " A new pod of the store would not start: " + held.message())
                .orElse(""));
  }

  private static Verdict notServing(Seen seen, boolean wasMet) {
    if (seen.stalled()) {
      return Verdict.no(
          wasMet ? Reason.StoreUnavailable : Reason.Starting,
          "The store runs but takes no writes. " + WalHealthyCondition.stalled(seen.shard()));
    }
    return seen.pullSecret()
        .get()
        .map(objection -> Verdict.no(Reason.PullSecretRefused, objection + "."))
        .orElseGet(
            () ->
                Verdict.no(
                    wasMet ? Reason.StoreUnavailable : Reason.Starting, seen.podState().get()));
  }
}
