// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.status;

import io.exaplane.api.v1alpha1.ControlPlaneStatus.Store;
import io.exaplane.api.v1alpha1.Criticality;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.hosted.EndpointProbe;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.status.Patience;
import io.exaplane.operator.storeshard.status.ShardStates;
import java.util.List;
import java.util.Optional;

/**
 * Whether the hosted API can be used, as the condition Available says it. Pure.
 *
 * @param met whether it can
 * @param reason in a word
 * @param message for people
 */
record AvailableVerdict(boolean met, Reason reason, String message) {
  /** The reasons of an API that could be used before. */
  static final Reason[] LOSSES = {
    Reason.Unavailable,
    Reason.NobodyInCharge,
    Reason.StoreUnavailable,
    Reason.StoreDataLost,
    Reason.SpaceExceeded,
    Reason.JournalStalled
  };

  /**
   * From what was seen.
   *
   * @param probe what the endpoint answered, if it was asked
   * @param shards those of the control plane; one that lost its data does not serve
   * @param startingAnew whether a critical store started empty, and not every component runs on it
   *     yet: an apiserver of before answers from its cache with objects that are no more
   * @param wasMet whether the API could be used before
   */
  static AvailableVerdict of(
      Optional<EndpointProbe.Result> probe,
      List<Store> stores,
      List<StoreShard> shards,
      boolean startingAnew,
      boolean wasMet) {
    Optional<StoreShard> held = StoreDataVerdict.held(shards);
    if (held.isPresent()) {
      return new AvailableVerdict(
          false,
          Reason.StoreDataLost,
          "The store %s lost its data and does not serve, so that no component sees an empty API; see StoreDataAvailable for the ways out."
              .formatted(held.get().getMetadata().getName()));
    }
    if (probe.filter(EndpointProbe.Result::answers).isEmpty()) {
      return new AvailableVerdict(
          false,
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
            .map(Store::shard)
            .toList();
    if (!lost.isEmpty()) {
      return new AvailableVerdict(
          false,
          Reason.StoreUnavailable,
          "The API answers, but its store %s does not serve. The operator is restoring the store; see 'kubectl describe storeshard %s'."
              .formatted(String.join(", ", lost), lost.getFirst()));
    }
    if (startingAnew) {
      return new AvailableVerdict(
          false,
          Reason.StoreDataLost,
          "The API answers, but a store started with other data. Until all components have "
              + "restarted, answers may be outdated."
              + Patience.NO_ACTION);
    }
    return refusal(shards)
        .orElseGet(
            () ->
                new AvailableVerdict(
                    true,
                    Reason.AsExpected,
                    "The API answers at %s.".formatted(probe.get().url())));
  }

  /** An API that can be read only is not one that can be used. */
  private static Optional<AvailableVerdict> refusal(List<StoreShard> shards) {
    return shards.stream()
        .filter(StoreNames::isCritical)
        .flatMap(
            shard ->
                ShardStates.refusalOfAll(shard)
                    .map(
                        refusal ->
                            new AvailableVerdict(
                                false,
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
