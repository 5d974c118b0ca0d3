// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Store;
import io.exaplane.api.v1alpha1.Criticality;
import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.RolloutGate;
import io.exaplane.api.v1alpha1.RolloutStatus;
import io.exaplane.api.v1alpha1.RolloutTurn;
import io.exaplane.api.v1alpha1.StoreCondition;
import io.exaplane.operator.bundle.Update;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.rollout.Told;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.rollout.Rollout;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.status.Patience;
import io.exaplane.operator.status.Verdict;
import io.exaplane.operator.storeshard.status.ShardStates;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Which change is carried out. Pure.
 *
 * @param since since when it has come no further; nothing if no object tells
 */
public record ProgressingCondition(Verdict verdict, Optional<Instant> since) {
  /** From what was seen. */
  public static ProgressingCondition of(
      Observed observed,
      List<Store> stores,
      Optional<Problem> configuration,
      Optional<RolloutStatus> rollout,
      String currentVersion) {
    if (configuration.isPresent()) {
      return stopped(
          configuration.get().reason(),
          "The spec is invalid. Running components are left unchanged; see ConfigurationValid.");
    }
    if (observed.pki().problem().isPresent()) {
      return stopped(
          Reason.WaitingForCertificates,
          "The operator changes nothing until the certificates are valid; see CertificatesValid.");
    }
    List<String> stalled =
        Told.of(rollout.orElse(null)).stalled().map(ProgressingCondition::stalled).toList();
    if (!stalled.isEmpty()) {
      return stopped(Reason.ProgressDeadlineExceeded, String.join(" ", stalled));
    }
    if (currentVersion == null) {
      return creating(observed, stores);
    }
    List<Deployment> rolling =
        observed.deployments().stream().filter(Rollout::isReplacingPods).toList();
    String desired = observed.controlPlane().spec().version();
    if (!currentVersion.equals(desired)) {
      return going(
          Reason.Upgrading,
          "Upgrading from %s to %s; now %s."
              .formatted(
                  currentVersion,
                  desired,
                  rolling.isEmpty() ? "the next component" : names(rolling)),
          progress(rolling.isEmpty() ? observed.deployments() : rolling));
    }
    if (rolling.isEmpty() && rollout.isPresent()) {
      return going(
          Reason.RollingOut,
          "Adding pods of kube-%s one by one.".formatted(rollout.get().component()),
          Optional.of(Instant.parse(rollout.get().progressedAt())));
    }
    return rolling.isEmpty()
        ? stopped(Reason.AsExpected, "Everything matches the spec.")
        : going(
            Reason.RollingOut,
            "Replacing pods of %s.".formatted(names(rolling)),
            progress(rolling));
  }

  /** The same while the pods take another bundle: between two components no pod is replaced. */
  public ProgressingCondition until(Optional<Update> update) {
    return !verdict.met() && verdict.reason() == Reason.AsExpected
        ? update
            .filter(Update::isUnderWay)
            .map(move -> going(Reason.RollingOut, move.step(), Optional.empty()))
            .orElse(this)
        : this;
  }

  /** Of a control plane that the operator has read, and not more. */
  public static Verdict accepted() {
    return Verdict.yes(
        Reason.Creating,
        "The operator has read the spec and will create the objects." + Patience.NO_ACTION);
  }

  /**
   * Of a change that waits for other control planes; nothing for one that does not wait.
   *
   * @param place among all control planes that change their pods; null for none
   * @param most how many roll at once
   */
  public static Optional<Verdict> inTurn(RolloutTurn place, int most) {
    if (place == null || place.state() != RolloutTurn.State.Waiting) {
      return Optional.empty();
    }
    return Optional.of(
        Verdict.yes(
            Reason.WaitingForTurn,
            "The pods stay as they are until other control planes have rolled: %d roll at once, and this one has place %d in the queue. To let more roll at once, set EXAPLANE_FLEET_MAX_CONCURRENT_ROLLOUTS on the operator."
                .formatted(most, place.position())));
  }

  /** The words are those of the moment: what is there later may say nothing. */
  private static String stalled(RolloutStatus rollout) {
    if (rollout.rolledBackTo() != null) {
      return "The rollout of kube-%s was rolled back to the last settled template: %s. The operator does not try this template again. Correct the spec. To try it again, add %s to the annotation %s; see docs/rollouts.md."
          .formatted(
              rollout.component(),
              rollout.lastWords(),
              RolloutGate.ProgressDeadline,
              Names.ROLLOUT_OVERRIDE);
    }
    return "The rollout of kube-%s stopped at %s: %s. The operator replaces and adds no further pod of it. Correct the spec. To continue as it is, add %s to the annotation %s; see docs/rollouts.md."
        .formatted(
            rollout.component(),
            rollout.step(),
            rollout.lastWords(),
            RolloutGate.ProgressDeadline,
            Names.ROLLOUT_OVERRIDE);
  }

  private static ProgressingCondition creating(Observed observed, List<Store> stores) {
    Optional<Deployment> apiServer = observed.deployment(ControlPlaneNames.API_SERVER);
    if (stores.stream().anyMatch(ProgressingCondition::isAwaited)) {
      return going(Reason.WaitingForStores, "The stores are starting.", unready(observed, stores));
    }
    if (observed.endpoint().isEmpty()) {
      return new ProgressingCondition(
          Verdict.yes(
              Reason.WaitingForEndpoint, "The endpoint has no address yet; see EndpointReady."),
          Optional.empty());
    }
    if (apiServer.map(Rollout::ready).orElse(0) == 0) {
      return going(
          Reason.WaitingForAPIServer,
          "The first kube-apiserver is starting.",
          progress(apiServer.stream().toList()));
    }
    return going(
        Reason.Creating,
        "The components are starting.",
        progress(observed.deployments().stream().filter(d -> !Rollout.isComplete(d)).toList()));
  }

  private static boolean isAwaited(Store store) {
    return store.criticality() == Criticality.Critical && !store.ready();
  }

  /** Since when the store is away that is away last. */
  private static Optional<Instant> unready(Observed observed, List<Store> stores) {
    List<String> awaited =
        stores.stream().filter(ProgressingCondition::isAwaited).map(Store::shard).toList();
    return observed.shards().stream()
        .filter(shard -> awaited.contains(shard.getMetadata().getName()))
        .flatMap(shard -> ShardStates.condition(shard, StoreCondition.Ready).stream())
        .map(ConditionSet::since)
        .max(Comparator.naturalOrder());
  }

  private static Optional<Instant> progress(List<Deployment> deployments) {
    return deployments.stream()
        .flatMap(deployment -> Rollout.lastProgress(deployment).stream())
        .max(Comparator.naturalOrder());
  }

  private static String names(List<Deployment> rolling) {
    return String.join(
        ", ", rolling.stream().map(d -> d.getMetadata().getName()).sorted().toList());
  }

  private static ProgressingCondition stopped(Reason reason, String message) {
    return new ProgressingCondition(Verdict.no(reason, message), Optional.empty());
  }

  private static ProgressingCondition going(
      Reason reason, String message, Optional<Instant> since) {
    return new ProgressingCondition(Verdict.yes(reason, message + Patience.NO_ACTION), since);
  }

  /** What keeps stores from serving, in their own words. */
  public static Optional<String> ofStores(Observed observed, List<Store> stores) {
    return stores.stream()
        .filter(store -> !store.ready())
        .flatMap(
            store ->
                observed.shards().stream()
                    .filter(shard -> shard.getMetadata().getName().equals(store.shard()))
                    .flatMap(shard -> ShardStates.condition(shard, StoreCondition.Ready).stream()))
        .map(Condition::message)
        .findFirst();
  }
}
