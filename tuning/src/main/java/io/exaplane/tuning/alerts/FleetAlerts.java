// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.alerts;

import java.util.List;

/**
 * What the operator says of all its objects. Its metrics have no names of objects, so these alerts
 * say how many there are, and the command that lists them.
 */
final class FleetAlerts {
  private static final String PLANES = "exaplane_controlplane_conditions";
  private static final String SHARDS = "exaplane_storeshard_conditions";
  private static final String POOLS = "exaplane_schedulerpool_conditions";
  private static final String NODES = "exaplane_nodepool_conditions";
  private static final String DAY = "86400";

  private FleetAlerts() {}

  static List<AlertGroup> groups() {
    return List.of(
        AlertGroup.of(
            "fleet", "fleet", List.of(operatorDown(), down(), degraded(), stalled(), refused())),
        AlertGroup.of(
            "changes",
            "changes",
            List.of(rolloutStalled(), updatePending(), paused(), budget(), sizing())),
        AlertGroup.of(
            "certificates", "changes", List.of(certificate(), certificateNow(), authority())),
        AlertGroup.of("pools", "fleet", List.of(pool(), tree(), fallback(), prefixes(), join())),
        AlertGroup.of("guard", "fleet", List.of(guard(), guardBlind())),
        AlertGroup.of("addons", "fleet", List.of(contested())),
        AlertGroup.of("shards", "stores", List.of(storeDown(), bestEffortDown(), dataLost())));
  }

  /** How many objects have a condition at a status; a standby says 0, so the largest counts. */
  private static String some(String metric, String type, String status) {
    return "max by (type, status) (%s{type=\"%s\",status=\"%s\"}) > 0"
        .formatted(metric, type, status);
  }

  private static Alert operatorDown() {
    return Alert.named("OperatorDown")
        .critical("5m")
        .when("absent(up{job=\"%s\"} == 1)".formatted(Series.OPERATOR))
        .says(
            "No operator of Exaplane answers. Control planes keep running, but they are not repaired, "
                + "renewed or upgraded, and the meltdown guard is off.")
        .then("Read 'kubectl -n exaplane-system get pods' and the log of the operator.")
        .since("chosen: two replicas, one of which leads; a restart of both takes less than 5 min");
  }

  private static Alert down() {
    return Alert.named("ControlPlaneDown")
        .critical("5m")
        .when(some(PLANES, "Available", Conditions.FALSE))
        .says(
            "{{ $value }} control planes do not answer. Their users cannot read or change "
                + "anything; pods on nodes keep running.")
        .then("Run 'kubectl get cpl -A' and follow the message of Available.")
        .since("a control plane is created within 2 min; docs/not-available.md");
  }

  private static Alert degraded() {
    return Alert.named("ControlPlaneDegraded")
        .warning("15m")
        .when(some(PLANES, "Degraded", Conditions.TRUE))
        .says("{{ $value }} control planes work, but one more failure can stop them.")
        .then("Run 'kubectl describe cpl' for each, and follow the message of Degraded.")
        .since("chosen: longer than the rollout of one pod; a longer rollout also fires");
  }

  private static Alert stalled() {
    return Alert.named("ControlPlaneStalled")
        .warning("10m")
        .when(some(PLANES, "Stalled", Conditions.TRUE))
        .says("{{ $value }} control planes wait for a person; the operator changes nothing there.")
        .then("Run 'kubectl describe cpl' for each, and do what the message of Stalled says.")
        .since("Stalled is set only when no retry can help");
  }

  private static Alert refused() {
    return Alert.named("SpecRefused")
        .warning("10m")
        .when(some(PLANES, "ConfigurationValid", Conditions.FALSE))
        .says("{{ $value }} control planes have a spec that the operator cannot apply.")
        .then("Run 'kubectl describe cpl' and correct the field that ConfigurationValid names.")
        .since("somebody who edits a spec sees the message at once; 10 min is a forgotten one");
  }

  private static Alert rolloutStalled() {
    return Alert.named("RolloutStalled")
        .warning("5m")
        .when(
            "max by (reason) (exaplane_controlplane_reasons"
                + "{reason=\"ProgressDeadlineExceeded\"}) > 0")
        .says("The rollouts of {{ $value }} control planes passed their deadline and stopped.")
        .then("Run 'kubectl describe cpl' and follow the gate that Progressing names.")
        .since("spec.rollout.progressDeadline of each control plane decides; docs/rollouts.md");
  }

  private static Alert updatePending() {
    return Alert.named("OperatorUpdatePending")
        .info("7d")
        .when(some(PLANES, "OperatorUpdatePending", Conditions.TRUE))
        .says("{{ $value }} control planes run pods of an earlier operator for a week.")
        .then("Set 'spec.rollout.bundle' in the next maintenance window; see docs/upgrade.md.")
        .since("a week has one maintenance window at least; nothing restarts by itself");
  }

  private static Alert paused() {
    return Alert.named("ReconciliationPaused")
        .warning("1d")
        .when(some(PLANES, "ReconciliationActive", Conditions.FALSE))
        .says(
            "{{ $value }} control planes are paused or refused for a day: no repair, no new "
                + "certificates.")
        .then("Remove 'spec.pausedUntil', or let the side that ReconciliationActive names accept.")
        .since("a third of a certificate's life is left at its renewal; a day is a lapse");
  }

  private static Alert budget() {
    return Alert.named("RestartBudgetExhausted")
        .warning("2m")
        .when(
            some(PLANES, "RestartBudgetAvailable", Conditions.FALSE)
                + " or "
                + some(SHARDS, "RestartBudgetAvailable", Conditions.FALSE)
                + " or "
                + some(POOLS, "RestartBudgetAvailable", Conditions.FALSE))
        .says(
            "Components of {{ $value }} objects restarted too often. The operator holds their "
                + "next restart back, so a failed one does not come back by itself.")
        .then("Run 'kubectl get cpl,shard,spool -A', and read the log of the held component.")
        .since("spec.restart.budget of each object decides; docs/restarts.md");
  }

  private static Alert sizing() {
    return Alert.named("SizingExceeded")
        .warning("30m")
        .when(some(PLANES, "SizingValid", Conditions.FALSE))
        .says("{{ $value }} control planes are too small for their nodes, or for their hosts.")
        .then("Run 'kubectl describe cpl' and follow SizingValid; see docs/sizing.md.")
        .since("the tuning model's warnings for the shape in spec");
  }

  private static Alert certificate() {
    return Alert.named("CertificateExpiringSoon")
        .warning("10m")
        .when("min(exaplane_certificate_life_left) < 0.25")
        .says(
            "A certificate of a control plane has {{ $value | humanizePercentage }} of its validity "
                + "left, and the operator has not renewed it.")
        .then("Run 'kubectl describe cpl' and follow CertificatesValid; see docs/certificates.md.")
        .since("the operator renews with a third of the validity left, whatever the validity is");
  }

  private static Alert certificateNow() {
    return Alert.named("CertificateExpiresNext")
        .critical("1m")
        .when("min(exaplane_certificate_life_left) < 0.1")
        .says(
            "A certificate of a control plane has {{ $value | humanizePercentage }} of its validity "
                + "left. After its end, components stop talking to each other.")
        .then("Remove 'spec.pausedUntil', or follow CertificatesValid; see docs/certificates.md.")
        .since("two thirds of the time that the renewal had are over");
  }

  private static Alert authority() {
    return Alert.named("CANearEnd")
        .warning("1d")
        .when("min(exaplane_ca_expiry_seconds) < 180 * " + DAY)
        .says(
            "A CA of a control plane expires in {{ $value | humanizeDuration }}. The operator never "
                + "replaces a CA by itself, since every node trusts it.")
        .then("Plan a task that rotates the CA; see docs/tasks.md.")
        .since("a rotation waits for each node to trust both CAs; half a year leaves time for all");
  }

  private static Alert pool() {
    return Alert.named("SchedulerPoolDown")
        .critical("3m")
        .when(some(POOLS, "Available", Conditions.FALSE))
        .says("No root of {{ $value }} SchedulerPools is in charge: their pods stay pending.")
        .then("Run 'kubectl get spool -A' and follow the message of Available.")
        .since("chosen: several times the Lease of 15 s after which a standby root takes over");
  }

  private static Alert tree() {
    return Alert.named("SchedulerTreeBroken")
        .warning("5m")
        .when(some(POOLS, "TreeFormed", Conditions.FALSE))
        .says("{{ $value }} SchedulerPools lack shards or relays. Their roots place pods alone.")
        .then("Run 'kubectl describe spool', and read the pods that TreeFormed names.")
        .since("chosen: longer than the start of one shard; the growth of a large pool also fires");
  }

  private static Alert fallback() {
    return Alert.named("SchedulerFallbackInCharge")
        .warning("10m")
        .when(some(POOLS, "FallbackInactive", Conditions.FALSE))
        .says("A kube-scheduler stands in for {{ $value }} SchedulerPools, with less throughput.")
        .then("Run 'kubectl describe spool' and follow FallbackInactive.")
        .since("spec.fallback decides when; 10 min are chosen, longer than a rollout of roots");
  }

  private static Alert prefixes() {
    return Alert.named("NodePrefixConflict")
        .warning("10m")
        .when(some(NODES, "AddressesAssigned", Conditions.FALSE))
        .says("Nodes of {{ $value }} NodePools have no prefix: their pods get no addresses.")
        .then("Run 'kubectl get npool -A' and follow the message of AddressesAssigned.")
        .since("the operator assigns within seconds of the request; docs/node-pools.md");
  }

  private static Alert join() {
    return Alert.named("NodesCannotJoin")
        .warning("15m")
        .when(some(NODES, "JoinMaterialReady", Conditions.FALSE))
        .says("{{ $value }} NodePools have no valid join Secret: new hosts cannot join.")
        .then("Run 'kubectl get npool -A' and follow the message of JoinMaterialReady.")
        .since("the Secret is written within seconds after the API answers");
  }

  private static Alert guard() {
    return Alert.named("MeltdownGuardActive")
        .critical("1m")
        .when(some(PLANES, "NodeEvictionsAllowed", Conditions.FALSE))
        .says(
            "{{ $value }} control planes lost contact with most of their nodes at once. Evictions "
                + "are held back, so pods of dead nodes are not replaced either.")
        .then("Repair the endpoint, store or network that NodeEvictionsAllowed names.")
        .since(
            "the guard itself freezes after two bad checks, at 55 % of the nodes; docs/guard.md");
  }

  private static Alert guardBlind() {
    return Alert.named("MeltdownGuardBlind")
        .warning("15m")
        .when(
            "sum(max by (reason) (exaplane_controlplane_reasons"
                + "{reason=~\"FreezeRefused|LeasesNotCounted\"})) > 0")
        .says(
            "The meltdown guard of {{ $value }} control planes cannot see Leases or cannot write: "
                + "a cut network would evict healthy pods.")
        .then("Run 'kubectl describe cpl' and follow NodeEvictionsAllowed; see docs/guard.md.")
        .since("a restarted store counts Leases after 1 min");
  }

  private static Alert contested() {
    return Alert.named("AddonsContested")
        .warning("30m")
        .when("sum(increase(exaplane_addon_contested_total[15m])) > 0")
        .says(
            "Somebody changes or deletes objects of add-ons again and again: the operator put them "
                + "right {{ printf \"%.0f\" $value }} times within 15 min.")
        .then("Run 'kubectl get events -A --field-selector reason=AddonContested'.")
        .since("chosen: a fight of 15 min, from the third repair of an object within 10 min on");
  }

  private static Alert storeDown() {
    return Alert.named("StoreDown")
        .critical("3m")
        .when(shard("Critical"))
        .says("{{ $value }} stores that control planes depend on do not serve.")
        .then("Run 'kubectl get shard -A' and follow the message of Ready.")
        .since("a store with a million keys is back 5 s after its end; 3 min is no restart");
  }

  private static Alert bestEffortDown() {
    return Alert.named("BestEffortStoreDown")
        .warning("10m")
        .when(shard("BestEffort"))
        .says(
            "{{ $value }} stores of Events do not serve. Running kube-apiservers continue, but one "
                + "that starts waits for them.")
        .then("Run 'kubectl get shard -A' before any kube-apiserver restarts.")
        .since("a starting kube-apiserver dials every store of --etcd-servers-overrides and waits");
  }

  private static String shard(String criticality) {
    return ("max by (criticality) (%s{type=\"Ready\",status=\"False\",criticality=\"%s\"})"
            + " > 0")
        .formatted(SHARDS, criticality);
  }

  private static Alert dataLost() {
    return Alert.named("StoreDataLost")
        .critical("0m")
        .when(some(PLANES, "StoreDataAvailable", Conditions.FALSE))
        .says(
            "Stores of {{ $value }} control planes do not find their earlier data. Their API stays "
                + "closed until a person decides.")
        .then("Do not delete anything. Follow docs/data-loss.md.")
        .since("one lost store is enough: no time heals it");
  }
}
