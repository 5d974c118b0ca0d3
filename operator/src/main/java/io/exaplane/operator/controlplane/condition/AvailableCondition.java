// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import io.exaplane.api.v1alpha1.ControlPlaneStatus.Store;
import io.exaplane.api.v1alpha1.Criticality;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.hosted.EndpointProbe;
import io.exaplane.operator.controlplane.hosted.Leaders;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.rollout.Rollout;
import io.exaplane.operator.status.Patience;
import io.exaplane.operator.status.Verdict;
import io.exaplane.operator.storeshard.status.ShardStates;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

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

  /** Before what a side there says. */
  static final String IN_THE_HOSTED_CLUSTER = "In the hosted cluster: ";

  private static final String NOT_YET = "The API does not run yet." + Patience.NO_ACTION;

  private AvailableCondition() {}

  /**
   * From what was seen; empty when what was known counts, until the endpoint is asked in a moment.
   * It may never be asked, without a Service or a CA: an API that could be used must not stay so.
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
    boolean unasked =
        probe.isEmpty()
            && observed.endpoint().isPresent()
            && StoreDataAvailableCondition.held(observed.shards()).isEmpty()
            && known;
    return unasked
        ? unreachable(observed)
            .filter(why -> wasMet)
            .map(why -> Verdict.no(Reason.Unavailable, why))
        : Optional.of(of(probe, stores, observed.shards(), observed.isStartingAnew(), wasMet));
  }

  /** Of a control plane that the operator has read, and not more. */
  public static Verdict accepted() {
    return Verdict.no(Reason.Creating, NOT_YET);
  }

  /**
   * Of an API that does not answer while the operator fails to look at all else.
   *
   * @param wasMet whether the API could be used before
   */
  public static Verdict unreached(EndpointProbe.Result result, boolean wasMet) {
    return Verdict.no(
        wasMet ? Reason.Unavailable : Reason.Creating,
        "The API does not answer at %s: %s. See ReconciliationActive for what keeps the operator from bringing the API back."
            .formatted(result.url(), result.problem()));
  }

  /** Of an API that answers and takes no writes, so that nobody leads. */
  public static Verdict nobodyInCharge(Leaders leaders) {
    return Verdict.no(
        Reason.NobodyInCharge,
        "The API answers, and refuses writes. " + IN_THE_HOSTED_CLUSTER + leaders.writeProblem());
  }

  /** Why nobody reaches the API, while the operator has no way to ask it. */
  private static Optional<String> unreachable(Observed observed) {
    if (observed.service().isEmpty()) {
      return Optional.of(
          "Nobody reaches the API: its Service does not exist. See ReconciliationActive for what keeps the operator from creating the Service.");
    }
    boolean runs =
        observed
            .deployment(ControlPlaneNames.API_SERVER)
            .filter(d -> Rollout.ready(d) > 0)
            .isPresent();
    return runs || observed.pki().authorities().isPresent()
        ? Optional.empty()
        : Optional.of(
            "No kube-apiserver is ready, and the operator cannot ask the API without its CA; see CertificatesValid and APIServerAvailable.");
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
          probe.map(result -> silent(result, shards)).orElse(NOT_YET));
    }
    List<String> lost =
        stores.stream()
            .filter(store -> store.criticality() == Criticality.Critical && !store.ready())
            .filter(AvailableCondition::isUsed)
            .map(Store::shard)
            .toList();
    if (!lost.isEmpty()) {
      return stalled(shards)
          .map(Refusing::whileTheApiAnswers)
          .orElseGet(
              () ->
                  Verdict.no(
                      Reason.StoreUnavailable,
                      "The API answers, but its store %s does not serve. The operator is restoring the store; see 'kubectl describe storeshard %s'."
                          .formatted(String.join(", ", lost), lost.getFirst())));
    }
    if (startingAnew) {
      return Verdict.no(
          Reason.StoreDataLost,
          "The API answers, but a store started with other data. Until all components have "
              + "restarted, answers may be outdated."
              + Patience.NO_ACTION);
    }
    return refusing(shards)
        .findFirst()
        .map(Refusing::whileTheApiAnswers)
        .orElseGet(
            () ->
                Verdict.yes(
                    Reason.AsExpected, "The API answers at %s.".formatted(probe.get().url())));
  }

  /** The operator restores nothing while a disk is full: that is for a person. */
  private static String silent(EndpointProbe.Result result, List<StoreShard> shards) {
    String what = "The API does not answer at %s: %s.".formatted(result.url(), result.problem());
    return stalled(shards)
        .map(store -> "%s Its %s".formatted(what, store.text()))
        .orElse(
            what + " The operator is restoring the API; see the other conditions for the cause.");
  }

  /** A Critical store that takes no writes. */
  private record Refusing(Reason reason, String text) {
    Verdict whileTheApiAnswers() {
      return Verdict.no(reason, "The API answers but refuses writes: " + text);
    }
  }

  private static Optional<Refusing> stalled(List<StoreShard> shards) {
    return refusing(shards).filter(store -> store.reason() == Reason.JournalStalled).findFirst();
  }

  /** A store that was added has nothing before a task moves a resource to it. */
  private static boolean isUsed(Store store) {
    return store.resources() != null || store.name().equals(StorageSpec.DEFAULT_STORE);
  }

  /** An API that can be read only is not one that can be used. */
  private static Stream<Refusing> refusing(List<StoreShard> shards) {
    return shards.stream()
        .filter(StoreNames::isCritical)
        .flatMap(
            shard ->
                ShardStates.refusalOfAll(shard)
                    .map(
                        refusal ->
                            new Refusing(
                                Reason.valueOf(refusal.reason()),
                                "store %s %s. %s See 'kubectl describe storeshard %s'."
                                    .formatted(
                                        shard.getMetadata().getName(),
                                        ShardStates.extent(refusal),
                                        refusal.message(),
                                        shard.getMetadata().getName())))
                    .stream());
  }
}
