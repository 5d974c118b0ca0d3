// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import io.exaplane.api.v1alpha1.ControlPlaneStatus.Store;
import io.exaplane.api.v1alpha1.Criticality;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.hosted.EndpointProbe;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.status.Patience;
import io.exaplane.operator.status.Verdict;
import io.exaplane.operator.storeshard.status.ShardStates;
import java.util.List;
import java.util.Optional;

/** Whether the hosted API can be used. Pure. */
public final class AvailableCondition {
  /** The reasons of an API that could be used before. */
  public static final Reason[] LOSSES = {
    Reason.Unavailable,
    Reason.NobodyInCharge,
    Reason.StoreUnavailable,
    Reason.StoreDataLost,
    Reason.SpaceExceeded,
    Reason.JournalStalled
  };

  private AvailableCondition() {}

  /**
   * From what was seen; empty when what was known counts, until the endpoint is asked in a moment.
   *
   * @param known whether the condition was told before
   * @param wasMet whether the API could be used before
   */
  public static Optional<Verdict> of(
      Observed observed,
      Optional<EndpointProbe.Result> probe,
      List<Store> stores,
      boolean known,
      boolean wasMet) {
    return probe.isEmpty()
            && observed.endpoint().isPresent()
            && StoreDataAvailableCondition.held(observed.shards()).isEmpty()
            && known
        ? Optional.empty()
        : Optional.of(of(probe, stores, observed.shards(), observed.isStartingAnew(), wasMet));
  }

  /**
   * From what was seen.
   *
   * @param probe what the endpoint answered, if it was asked
   * @param shards those of the control plane; one that lost its data does not serve
   * @param startingAnew whether a critical store started empty, and not every component runs on it
   *     yet: an apiserver of before answers from its cache with objects that are no more
   * @param wasMet whether the API could be used before
   */
  static Verdict of(
      Optional<EndpointProbe.Result> probe,
      List<Store> stores,
      List<StoreShard> shards,
      boolean startingAnew,
      boolean wasMet) {
    Optional<StoreShard> held = StoreDataAvailableCondition.held(shards);
    if (held.isPresent()) {
      return Verdict.no(
          Reason.StoreDataLost,
          "The store %s lost its data and does not serve, so that no component sees an empty API; see StoreDataAvailable for the ways out."
              .formatted(held.get().getMetadata().getName()));
    }
    if (probe.filter(EndpointProbe.Result::answers).isEmpty()) {
      return Verdict.no(
          wasMet ? Reason.Unavailable : Reason.Creating,
          probe
              .map(
                  result ->
                      "The API does not answer at %s: %s. The operator is restoring the API; see the other conditions for the cause."
                          .formatted(result.url(), result.problem()))
              .orElse("The API does not run yet." + Patience.NO_ACTION));
    }
    List<String> lost =
        stores.stream()
            .filter(store -> store.criticality() == Criticality.Critical && !store.ready())
            .filter(AvailableCondition::isUsed)
            .map(Store::shard)
            .toList();
    if (!lost.isEmpty()) {
      return Verdict.no(
          Reason.StoreUnavailable,
          "The API answers, but its store %s does not serve. The operator is restoring the store; see 'kubectl describe storeshard %s'."
              .formatted(String.join(", ", lost), lost.getFirst()));
    }
    if (startingAnew) {
      return Verdict.no(
          Reason.StoreDataLost,
          "The API answers, but a store started with other data. Until all components have "
              + "restarted, answers may be outdated."
              + Patience.NO_ACTION);
    }
    return refusal(shards)
        .orElseGet(
            () ->
                Verdict.yes(
                    Reason.AsExpected, "The API answers at %s.".formatted(probe.get().url())));
  }

  /** A store that was added has nothing before a task moves a resource to it. */
  private static boolean isUsed(Store store) {
    return store.resources() != null || store.name().equals(StorageSpec.DEFAULT_STORE);
  }

  /** An API that can be read only is not one that can be used. */
  private static Optional<Verdict> refusal(List<StoreShard> shards) {
    return shards.stream()
        .filter(StoreNames::isCritical)
        .flatMap(
            shard ->
                ShardStates.refusalOfAll(shard)
                    .map(
                        refusal ->
                            Verdict.no(
                                Reason.valueOf(refusal.reason()),
                                "The API answers but refuses writes: store %s %s. %s See 'kubectl describe storeshard %s'."
                                    .formatted(
                                        shard.getMetadata().getName(),
                                        ShardStates.extent(refusal),
                                        refusal.message(),
                                        shard.getMetadata().getName())))
                    .stream())
        .findFirst();
  }
}
