// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.status;

import static io.exaplane.api.v1alpha1.PoolCondition.Available;
import static io.exaplane.api.v1alpha1.PoolCondition.ConfigurationValid;
import static io.exaplane.api.v1alpha1.PoolCondition.Degraded;
import static io.exaplane.api.v1alpha1.PoolCondition.FallbackInactive;
import static io.exaplane.api.v1alpha1.PoolCondition.LeaseHeld;
import static io.exaplane.api.v1alpha1.PoolCondition.Progressing;
import static io.exaplane.api.v1alpha1.PoolCondition.ReconciliationActive;
import static io.exaplane.api.v1alpha1.PoolCondition.SizingValid;
import static io.exaplane.api.v1alpha1.PoolCondition.TreeFormed;
import static io.exaplane.api.v1alpha1.PoolCondition.UpToDate;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.api.v1alpha1.SchedulerPoolStatus.Tree;
import io.exaplane.operator.names.PoolNames;
import io.exaplane.operator.names.Tier;
import io.exaplane.operator.schedulerpool.hosted.PoolTarget;
import io.exaplane.operator.schedulerpool.hosted.PoolView;
import io.exaplane.operator.schedulerpool.observe.PoolAddresses;
import io.exaplane.operator.schedulerpool.observe.PoolObserved;
import io.exaplane.operator.schedulerpool.observe.PoolObserver;
import io.exaplane.operator.schedulerpool.render.PoolSets;
import io.exaplane.operator.schedulerpool.render.SetRollout;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.status.Patience;
import io.exaplane.operator.status.PodTrouble;
import io.exaplane.tuning.model.PoolSize;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Sets a pool's conditions from what was observed. */
final class PoolConditions {
  private final ConditionSet conditions;
  private final PoolObserved observed;
  private final SchedulerPool pool;
  private final PoolNames names;
  private final Optional<PoolView> view;

  PoolConditions(ConditionSet conditions, PoolObserved observed) {
    this.conditions = conditions;
    this.observed = observed;
    this.pool = observed.pool();
    this.names = new PoolNames(pool);
    this.view = observed.view();
  }

  void report(boolean paused, Optional<String> newestImage) {
    available();
    progressing();
    configuration();
    sizing();
    lease();
    tree();
    fallback();
    upToDate(newestImage);
    degraded();
    conditions.set(
        ReconciliationActive,
        !paused,
        paused ? Reason.Paused : Reason.AsExpected,
        paused
            ? "spec.pausedUntil is %s. Until then the operator changes nothing; remove the field to continue."
                .formatted(pool.getSpec().pausedUntil())
            : "The operator applies changes.");
  }

  private boolean answers() {
    return view.filter(PoolView::answers).isPresent();
  }

  /** The pod that is in charge, of whoever's it is. */
  private Optional<String> holder() {
    return view.filter(seen -> seen.answers() && seen.held()).map(PoolView::holder);
  }

  /** The root that is in charge. */
  Optional<String> leader() {
    return holder().filter(names::isRoot);
  }

  private boolean fallbackHolds() {
    return holder().filter(pod -> pod.startsWith(names.fallback() + "-")).isPresent();
  }

  private boolean wasAvailable() {
    return conditions.wasMet(
        Available, Reason.NobodyInCharge, Reason.FallbackInCharge, Reason.NotInStep);
  }

  private boolean isReady(String pod) {
    return observed.pods(Tier.ROOT).stream()
        .filter(root -> root.getMetadata().getName().equals(pod))
        .anyMatch(root -> PoolObserver.readySince(root).isPresent());
  }

  private void available() {
    if (leader().filter(pod -> !isReady(pod)).isPresent()) {
      conditions.set(
          Available,
          false,
          wasAvailable() ? Reason.NotInStep : Reason.Creating,
          "Pod %s is in charge and is reading the cluster; pods stay pending until then. If this persists, check 'kubectl logs %s'."
              .formatted(leader().get(), leader().get()));
    } else if (leader().isPresent()) {
      conditions.set(
          Available,
          true,
          Reason.AsExpected,
          "Pod %s is in charge of the pods with schedulerName %s."
              .formatted(leader().get(), pool.getSpec().effectiveSchedulerName()));
    } else if (observed.missing().isPresent()) {
      PoolTarget.Missing missing = observed.missing().get();
      conditions.set(Available, false, missing.reason(), missing.message());
    } else if (view.isEmpty() && conditions.previous(Available).isPresent()) {
      // The operator has just begun, and does not know yet.
      conditions.keep(Available);
    } else if (!answers()) {
      conditions.set(
          Available,
          Condition.UNKNOWN,
          Reason.NotReached,
          "The cluster's API does not report the pod in charge: %s. The operator keeps asking. If this persists, check that the operator can reach the API."
              .formatted(view.map(PoolView::problem).orElse("the operator has not asked yet")));
    } else {
      notInCharge();
    }
  }

  private void notInCharge() {
    String trouble =
        PodTrouble.of(observed.pods(Tier.ROOT))
            .map(text -> " Of the roots, " + text + ".")
            .orElse("");
    if (fallbackHolds()) {
      conditions.set(
          Available,
          false,
          Reason.FallbackInCharge,
          "A kube-scheduler (%s) stands in until a root of the pool is ready. If this persists, check the pods of the roots.%s"
              .formatted(holder().get(), trouble));
    } else if (holder().isPresent()) {
      conditions.set(
          Available,
          false,
          Reason.AnotherInCharge,
          "%s holds the Lease kube-system/%s, and the pool waits for the Lease; %s.%s"
              .formatted(holder().get(), pool.getSpec().leaseName(), handover(), trouble));
    } else {
      conditions.set(
          Available,
          false,
          wasAvailable() ? Reason.NobodyInCharge : Reason.Creating,
          "No root of the pool is in charge yet, and pods stay pending.%s%s"
              .formatted(trouble, trouble.isEmpty() ? Patience.NO_ACTION : ""));
    }
  }

  private String handover() {
    return observed.target().flatMap(PoolTarget::controlPlane).isPresent()
        ? "set spec.scheduling of the ControlPlane to {mode: Pool, poolRef: {name: %s}}, or stop the process that holds the Lease"
            .formatted(pool.getMetadata().getName())
        : "stop that scheduler";
  }

  private void progressing() {
    if (observed.missing().isPresent()) {
      PoolTarget.Missing missing = observed.missing().get();
      conditions.set(
          Progressing,
          !missing.invalid(),
          missing.reason(),
          missing.invalid()
              ? "The spec is invalid. Running pods are left unchanged; see ConfigurationValid."
              : missing.message());
      return;
    }
    List<String> rolling =
        Arrays.stream(Tier.values())
            .filter(tier -> tier.replicas(pool.getSpec()) > 0)
            .filter(tier -> observed.set(tier).filter(set -> isThere(tier, set)).isEmpty())
            .map(names::of)
            .toList();
    if (rolling.isEmpty()) {
      conditions.set(
          Progressing,
          false,
          Reason.AsExpected,
          "Everything matches the spec."
              + PoolAddresses.lost(observed.services()).map(lost -> " " + lost).orElse(""));
    } else {
      boolean created =
          conditions.previous(Available).filter(c -> c.status().equals("True")).isPresent();
      conditions.set(
          Progressing,
          true,
          wasAvailable() ? Reason.RollingOut : Reason.Creating,
          "The operator is creating or replacing pods of %s, shards first and roots last.%s"
              .formatted(String.join(", ", rolling), Patience.NO_ACTION));
    }
  }

  /** One that was replaced and is not ready any more is Degraded's affair. */
  private boolean isThere(Tier tier, StatefulSet set) {
    return SetRollout.isReplaced(set)
        && SetRollout.replicas(set) == tier.replicas(pool.getSpec())
        && (wasAvailable() || SetRollout.isComplete(set));
  }

  private void configuration() {
    Optional<PoolTarget.Missing> invalid = observed.missing().filter(PoolTarget.Missing::invalid);
    conditions.set(
        ConfigurationValid,
        invalid.isEmpty(),
        invalid.map(PoolTarget.Missing::reason).orElse(Reason.AsExpected),
        invalid.map(PoolTarget.Missing::message).orElse("The spec is valid."));
  }

  private void sizing() {
    if (observed.target().isEmpty()) {
      conditions.keep(SizingValid);
      return;
    }
    long nodes = observed.target().get().nodes();
    int shards = Tier.SHARD.replicas(pool.getSpec());
    int advised = PoolSize.of(nodes, 0, shards).advisedShards();
    conditions.set(
        SizingValid,
        shards >= advised,
        shards >= advised ? Reason.AsExpected : Reason.FewShards,
        shards >= advised
            ? "The number of shards fits %d nodes.".formatted(nodes)
            : "%d nodes need %d shards, one for each 50,000, so that new kinds of pods do not wait for a search of all nodes; raise spec.shards.replicas."
                .formatted(nodes, advised));
  }

  private void lease() {
    if (view.isEmpty() && conditions.previous(LeaseHeld).isPresent()) {
      conditions.keep(LeaseHeld);
    } else if (!answers()) {
      conditions.set(
          LeaseHeld,
          Condition.UNKNOWN,
          Reason.NotReached,
          "The cluster's API does not report the pod in charge; see Available.");
    } else if (holder().isEmpty()) {
      conditions.set(
          LeaseHeld,
          false,
          Reason.NobodyInCharge,
          "No process holds the Lease kube-system/%s, and pods stay pending; see Available."
              .formatted(pool.getSpec().leaseName()));
    } else {
      Reason reason =
          leader().isPresent()
              ? Reason.PoolInCharge
              : fallbackHolds() ? Reason.FallbackInCharge : Reason.AnotherInCharge;
      conditions.set(
          LeaseHeld,
          true,
          reason,
          "%s holds the Lease kube-system/%s."
              .formatted(holder().get(), pool.getSpec().leaseName()));
    }
  }

  private void tree() {
    int shards = Tier.SHARD.replicas(pool.getSpec());
    int relays = Tier.RELAY.replicas(pool.getSpec());
    Optional<Tree> tree = view.flatMap(PoolView::tree);
    if (shards == 0) {
      conditions.set(
          TreeFormed,
          true,
          Reason.NoShards,
          "The spec asks for no shards. The root evaluates all nodes itself.");
    } else if (view.isEmpty() && conditions.previous(TreeFormed).isPresent()) {
      conditions.keep(TreeFormed);
    } else if (tree.isEmpty()) {
      conditions.set(
          TreeFormed,
          Condition.UNKNOWN,
          leader().isPresent() ? Reason.NotReached : Reason.NobodyInCharge,
          leader().isPresent()
              ? "Pod %s does not answer on port 10260; check that a NetworkPolicy lets the operator reach the pod."
                  .formatted(leader().get())
              : "The operator knows the tree only when a root is in charge; see Available.");
    } else {
      boolean formed =
          tree.get().shards() >= shards && tree.get().relays() >= relays && tree.get().complete();
      String trouble =
          PodTrouble.of(observed.pods(Tier.SHARD))
              .or(() -> PodTrouble.of(observed.pods(Tier.RELAY)))
              .map(text -> " Of the members, " + text + ".")
              .orElse("");
      conditions.set(
          TreeFormed,
          formed,
          formed ? Reason.AsExpected : Reason.MembersMissing,
          formed
              ? "All shards and relays are members, and the shards know all nodes."
              : "%d of %d shards and %d of %d relays are members, and the root decides without the missing ones.%s If this persists, some pods are not running; see 'kubectl logs' of such a pod."
                  .formatted(tree.get().shards(), shards, tree.get().relays(), relays, trouble));
    }
  }

  private void fallback() {
    boolean there = observed.fallback().isPresent();
    conditions.set(
        FallbackInactive,
        !there,
        there ? Reason.FallbackInCharge : Reason.AsExpected,
        there
            ? "A kube-scheduler, %s, stands in. The operator removes it when a root of the pool is ready; see Available."
                .formatted(names.fallback())
            : "No kube-scheduler stands in.");
  }

  private void upToDate(Optional<String> newestImage) {
    Optional<String> image = observed.set(Tier.ROOT).flatMap(set -> PoolSets.image(set));
    if (image.isEmpty() || newestImage.isEmpty()) {
      conditions.keep(UpToDate);
      return;
    }
    boolean newest = image.equals(newestImage);
    conditions.set(
        UpToDate,
        newest,
        newest ? Reason.AsExpected : Reason.OperatorUpdatePending,
        newest
            ? "Pods run this operator's image of the scheduler."
            : "Pods run %s, but this operator has %s. New pods get the new image; to replace the pods now, set spec.restartedAt to the current time."
                .formatted(image.get(), newestImage.get()));
  }

  private void degraded() {
    List<String> findings = new ArrayList<>();
    Reason reason = Reason.PartlyAvailable;
    if (observed.fallback().isPresent()) {
      reason = Reason.FallbackInCharge;
      findings.add("a kube-scheduler stands in");
    }
    for (Tier tier : Tier.values()) {
      observed
          .set(tier)
          .filter(set -> SetRollout.ready(set) < tier.replicas(pool.getSpec()))
          .ifPresent(
              set ->
                  findings.add(
                      "%s has %d of %d pods ready"
                          .formatted(
                              names.of(tier),
                              SetRollout.ready(set),
                              tier.replicas(pool.getSpec()))));
    }
    if (conditions.isFalse(TreeFormed)) {
      findings.add("not all members are in the tree");
    }
    conditions.set(
        Degraded,
        !findings.isEmpty(),
        findings.isEmpty() ? Reason.AsExpected : reason,
        findings.isEmpty()
            ? "Everything works."
            : String.join("; ", findings)
                + ". Kubernetes and the operator are restarting what they can. If this persists for"
                + " 5 minutes, check the objects named above.");
  }
}
