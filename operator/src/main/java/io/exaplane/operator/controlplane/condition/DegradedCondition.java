// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Store;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreCondition;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.rollout.Rollout;
import io.exaplane.operator.status.Verdict;
import io.exaplane.operator.storeshard.status.ShardStates;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What works less well than it should. Pure. */
public final class DegradedCondition {
  private static final String EVICTIONS = "the meltdown guard holds evictions back";
  private static final String REFUSED =
      "an object is refused; see ReconciliationActive for the refusing side and the next action";

  private static final String BEFORE = "The control plane was never complete. See Progressing.";

  private DegradedCondition() {}

  /**
   * From what was seen.
   *
   * @param refused why the hosted API refused an object of the operator's, if it did
   * @param created whether all was there once; before that, what is missing is still to come
   */
  public static Verdict of(
      Observed observed, Optional<String> refused, List<Store> stores, boolean created) {
    Findings findings = new Findings();
    observed.pki().problem().map(Problem::message).ifPresent(findings::add);
    refused.ifPresent(
        why -> findings.add("the hosted API refuses an object of the operator: " + why));
    observed
        .endpointProblem()
        .filter(problem -> problem.reason() == Reason.AddressLost)
        .ifPresent(
            problem ->
                findings.add(
                    problem.reason(),
                    "nodes and clients use an address that the API no longer has; see EndpointReady"));
    observed.deployments().stream()
        .filter(Rollout::isStuck)
        .map(
            d ->
                "pods of %s do not become ready%s"
                    .formatted(
                        d.getMetadata().getName(),
                        why(observed, d).orElse("; see 'kubectl describe pods'")))
        .sorted()
        .forEach(findings::add);
    if (created) {
      ofStores(findings, observed, stores);
      observed.deployments().stream()
          .filter(d -> !Rollout.isReplacingPods(d))
          .filter(d -> Rollout.ready(d) < d.getSpec().getReplicas())
          .map(d -> Rollout.readiness(d) + why(observed, d).orElse(""))
          .sorted()
          .forEach(findings::add);
    }
    return findings.verdict(created);
  }

  /**
   * The same when nobody leads: that comes before what was told.
   *
   * @param told the condition as it is so far
   * @param idle the Leases that nobody holds, at least one
   */
  public static Verdict nobodyInCharge(Optional<Condition> told, List<String> idle) {
    String what = "no pod holds the Lease of " + String.join(" and ", idle);
    return Verdict.yes(
        Reason.NobodyInCharge,
        degraded(told)
            .map(before -> what + "; " + before.message())
            .orElseGet(
                () ->
                    capitalized(what)
                        + ". See ControllerManagerAvailable and SchedulerAvailable for the next"
                        + " action."));
  }

  /**
   * The same while the meltdown guard holds evictions back; a reason that was told stays.
   *
   * @param told the condition as it is so far
   * @param guard why no node may be declared dead
   */
  public static Verdict evictionsHeld(Optional<Condition> told, Reason guard) {
    Optional<Condition> degraded = degraded(told);
    return Verdict.yes(
        degraded.map(Condition::reason).map(Reason::valueOf).orElse(guard),
        degraded
            .map(before -> EVICTIONS + "; " + before.message())
            .orElseGet(
                () ->
                    capitalized(EVICTIONS)
                        + ". See NodeEvictionsAllowed for the cause and the next action."));
  }

  /**
   * The same when an object of the control plane is refused; a reason that was told stays.
   *
   * @param told the condition as it is so far
   */
  public static Verdict refused(Optional<Condition> told) {
    Optional<Condition> degraded = degraded(told);
    return Verdict.yes(
        degraded.map(Condition::reason).map(Reason::valueOf).orElse(Reason.WriteRefused),
        degraded
            .map(before -> REFUSED + "; " + before.message())
            .orElseGet(() -> capitalized(REFUSED) + "."));
  }

  private static Optional<Condition> degraded(Optional<Condition> told) {
    return told.filter(condition -> condition.status().equals(Condition.TRUE));
  }

  private static String capitalized(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }

  private static Optional<String> why(Observed observed, Deployment deployment) {
    return new ComponentTrouble(observed).of(deployment).map(text -> ": " + text);
  }

  private static void ofStores(Findings findings, Observed observed, List<Store> stores) {
    observed.shards().forEach(shard -> ofSpace(findings, shard));
    observed.shards().forEach(shard -> ofVolume(findings, shard));
    List<String> lost = stores.stream().filter(store -> !store.ready()).map(Store::shard).toList();
    if (!lost.isEmpty()) {
      findings.add(
          Reason.StoreUnavailable, "store %s does not serve".formatted(String.join(", ", lost)));
    }
    for (StoreShard shard : observed.shards()) {
      ShardStates.refusal(shard)
          .ifPresent(
              refusal -> findings.add(Reason.valueOf(refusal.reason()), text(shard, refusal)));
    }
    if (StoreDataAvailableCondition.held(observed.shards()).isPresent()) {
      findings.add(
          Reason.StoreDataLost, "a store lost its data; see StoreDataAvailable for the ways out");
    }
    if (observed.isStartingAnew()) {
      findings.add(
          Reason.StoreDataLost,
          "a store started with other data, and all components are restarting");
    }
  }

  /** One that refuses writes some day is told of before it does. */
  private static void ofSpace(Findings findings, StoreShard shard) {
    ShardStates.warning(shard)
        .ifPresent(
            warning ->
                findings.add(
                    Reason.valueOf(warning.reason()),
                    "store %s: %s".formatted(shard.getMetadata().getName(), warning.message())));
  }

  private static void ofVolume(Findings findings, StoreShard shard) {
    ShardStates.condition(shard, StoreCondition.VolumeSized)
        .filter(condition -> condition.reason().equals(Reason.VolumeCantGrow.name()))
        .ifPresent(
            condition ->
                findings.add(
                    Reason.VolumeCantGrow,
                    "store %s: %s".formatted(shard.getMetadata().getName(), condition.message())));
  }

  private static String text(StoreShard shard, Condition refusal) {
    return "store %s %s: %s"
        .formatted(shard.getMetadata().getName(), ShardStates.extent(refusal), refusal.message());
  }

  /** What was found, in the order in which it is told; the last reason that was given counts. */
  private static final class Findings {
    private final List<String> all = new ArrayList<>();
    private Reason reason = Reason.PartlyAvailable;

    void add(String text) {
      all.add(text);
    }

    void add(Reason why, String text) {
      reason = why;
      all.add(text);
    }

    Verdict verdict(boolean created) {
      return all.isEmpty()
          ? Verdict.no(Reason.AsExpected, created ? "Everything works." : BEFORE)
          : Verdict.yes(
              reason,
              String.join("; ", all)
                  + ". Kubernetes and the operator are restarting what they can. If this persists"
                  + " for 5 minutes, check the objects named above.");
    }
  }
}
