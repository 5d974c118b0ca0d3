// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.status;

import io.exaplane.api.v1alpha1.AddonStatus;
import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Store;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Stores;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Versions;
import io.exaplane.api.v1alpha1.DefinitionsStatus;
import io.exaplane.api.v1alpha1.GuardSpec;
import io.exaplane.api.v1alpha1.LocalRef;
import io.exaplane.api.v1alpha1.NodeTotals;
import io.exaplane.api.v1alpha1.PkiSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.RolloutStatus;
import io.exaplane.api.v1alpha1.RolloutTurn;
import io.exaplane.api.v1alpha1.RotationSpec;
import io.exaplane.api.v1alpha1.RotationStatus;
import io.exaplane.api.v1alpha1.TaskCredential;
import io.exaplane.operator.bundle.Update;
import io.exaplane.operator.controlplane.addon.AddonReport;
import io.exaplane.operator.controlplane.condition.AddonsReadyCondition;
import io.exaplane.operator.controlplane.condition.ConfigurationValidCondition;
import io.exaplane.operator.controlplane.condition.DegradedCondition;
import io.exaplane.operator.controlplane.condition.NodeEvictionsAllowedCondition;
import io.exaplane.operator.controlplane.condition.OperatorUpdatePendingCondition;
import io.exaplane.operator.controlplane.condition.ProgressingCondition;
import io.exaplane.operator.controlplane.condition.RestartBudgetAvailableCondition;
import io.exaplane.operator.controlplane.condition.RotationCompleteCondition;
import io.exaplane.operator.controlplane.condition.UnseenOutage;
import io.exaplane.operator.controlplane.hosted.ApiServerMemory;
import io.exaplane.operator.controlplane.hosted.EndpointProbe;
import io.exaplane.operator.controlplane.hosted.GuardVerdict;
import io.exaplane.operator.controlplane.hosted.Leaders;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.rollout.RolloutPlan;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.outcome.Refusal;
import io.exaplane.operator.restart.RestartPlan;
import io.exaplane.operator.rotation.Rotation;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.status.News;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Tells a control plane's status from what was observed: the order of its conditions, and what
 * stays known while nobody looks. Made for one reconciliation.
 */
public final class StatusReporter {
  private static final Duration SILENCE = Duration.ofMinutes(5);

  private final ControlPlane controlPlane;
  private final ControlPlaneSpec spec;
  private final Observed observed;
  private final Optional<EndpointProbe.Result> probe;
  private final Optional<String> refused;
  private final ControlPlaneNames names;
  private final Leaders leaders;
  private final ConditionSet conditions;
  private final Clock clock;
  private Optional<Problem> notice = Optional.empty();
  private boolean judged = true;
  private Optional<RestartPlan> restarts = Optional.empty();
  private Optional<Update> update = Optional.empty();
  private Optional<GuardVerdict> guard = Optional.empty();
  private Optional<RolloutPlan> rollout = Optional.empty();
  private Optional<String> bundle = Optional.empty();
  private RolloutTurn turn;
  private NodeTotals nodes;
  private DefinitionsStatus definitions;
  private Optional<List<AddonReport>> addons = Optional.empty();
  private int most;

  /**
   * For one look.
   *
   * @param refused why the hosted API refused an object of the operator's, if it did
   */
  public StatusReporter(
      Observed observed,
      Optional<EndpointProbe.Result> probe,
      Optional<String> refused,
      Clock clock) {
    this(observed, probe, refused, Leaders.UNKNOWN, clock);
  }

  /**
   * The same.
   *
   * @param leaders who leads inside the hosted cluster
   */
  public StatusReporter(
      Observed observed,
      Optional<EndpointProbe.Result> probe,
      Optional<String> refused,
      Leaders leaders,
      Clock clock) {
    this.leaders = leaders;
    this.refused = refused;
    this.controlPlane = observed.controlPlane().asked();
    ControlPlaneStatus known = controlPlane.getStatus();
    this.nodes = known == null ? null : known.nodes();
    this.definitions = known == null ? null : known.definitions();
    this.spec = observed.controlPlane().spec();
    this.clock = clock;
    this.observed = observed;
    // What was asked of another address says nothing about this one.
    this.probe =
        probe.filter(
            result ->
                observed
                    .endpoint()
                    .map(EndpointProbe::url)
                    .filter(result.url()::equals)
                    .isPresent());
    this.names = new ControlPlaneNames(controlPlane);
    this.conditions =
        new ConditionSet(
            controlPlane.getStatus() == null ? null : controlPlane.getStatus().conditions(),
            controlPlane.getMetadata().getGeneration(),
            clock);
  }

  /**
   * What is known of the spec beside the rule that it breaks.
   *
   * @param said what is to be said of one that is carried out
   * @param known whether all rules could be looked at; else what was said of them stays
   */
  public void note(Optional<Problem> said, boolean known) {
    notice = said;
    judged = known;
  }

  /** What is to be done about restarts; without it, what is known of them stays. */
  public void restarts(RestartPlan plan) {
    restarts = Optional.of(plan);
  }

  /** The nodes of all pools, null without a pool; without it, what is known of that stays. */
  public void nodes(NodeTotals totals) {
    nodes = totals;
  }

  /** What kube-apiservers say of memory and kinds; without it, what is known stays. */
  public void memory(ApiServerMemory said) {
    definitions = HostedDefinitions.of(said, observed.sized(), definitions);
  }

  /** What is known of each source of add-ons; without it, what is known of them stays. */
  public void addons(List<AddonReport> reports) {
    addons = Optional.of(reports);
  }

  /** What the meltdown guard decided; without it, what is known of that stays. */
  public void guard(GuardVerdict verdict) {
    guard = Optional.of(verdict);
  }

  /** What is done about rollouts; without it, what is known of them stays. */
  public void rollout(RolloutPlan plan) {
    rollout = Optional.of(plan);
  }

  /** What is known of the bundle; next is that of the pods from now on, empty when held. */
  public void update(Update known, Optional<String> next) {
    update = Optional.of(known);
    bundle = next;
  }

  /**
   * The place among all control planes that change their pods; null for none.
   *
   * @param atOnce how many roll at once
   */
  public void turn(RolloutTurn place, int atOnce) {
    turn = place;
    most = atOnce;
  }

  /**
   * The status as it should be; equal to the one there is when nothing changed.
   *
   * @param configuration the rule that the spec breaks, if it breaks one
   * @param paused whether the spec asks to change nothing
   */
  public ControlPlaneStatus status(Optional<Problem> configuration, boolean paused) {
    return status(configuration, paused, List.of());
  }

  /**
   * The same when writes were refused.
   *
   * @param refusals all of the last attempt
   */
  public ControlPlaneStatus status(
      Optional<Problem> configuration, boolean paused, List<Refusal> refusals) {
    PlaneFigures figures = new PlaneFigures(observed);
    List<Store> stores = figures.stores();
    String version = RunningVersion.current(observed);
    Optional<RotationStatus> rotation =
        setConditions(configuration, paused, refusals, stores, version);
    ControlPlaneStatus before = controlPlane.getStatus();
    return new ControlPlaneStatus(
            controlPlane.getMetadata().getGeneration(),
            new Versions(spec.version(), version, RunningVersion.applied(observed)),
            observed.endpoint().orElse(null),
            observed
                .service()
                .orElse(
                    controlPlane.getStatus() == null ? null : controlPlane.getStatus().service()),
            observed.pki().secrets().contains(names.adminKubeconfig())
                ? new LocalRef(names.adminKubeconfig())
                : null,
            figures.apiServers(),
            figures.controllerManager(),
            figures.scheduler(),
            new Stores(stores.stream().filter(Store::ready).count() + "/" + stores.size(), stores),
            observed.pki().certificates(),
            figures.sizing(),
            bundle.orElse(before == null ? null : before.bundle()),
            conditions.build())
        .withRestart(
            restarts.isPresent()
                ? restarts.get().status()
                : before == null ? null : before.restart())
        .withGuard(
            guard.isPresent() ? guard.get().status() : before == null ? null : before.guard())
        .withRollout(rolling())
        .withTurn(turn)
        .withNodes(nodes)
        .withDefinitions(definitions)
        .withAddons(addons())
        .withRoutes(observed.routes().routes().isEmpty() ? null : observed.routes().routes())
        .withRotation(rotation.orElse(null));
  }

  /** Sets all conditions, in the order in which they follow from each other. */
  private Optional<RotationStatus> setConditions(
      Optional<Problem> configuration,
      boolean paused,
      List<Refusal> refusals,
      List<Store> stores,
      String version) {
    List<AddonStatus> sources = Objects.requireNonNullElse(addons(), List.of());
    new ConditionReporter(conditions, observed, probe, refused, stores, sources, clock.instant())
        .report(
            configuration,
            judged
                ? Optional.of(ConfigurationValidCondition.of(configuration, notice))
                : Optional.empty(),
            restarts.map(plan -> RestartBudgetAvailableCondition.of(controlPlane, plan)),
            update,
            Optional.ofNullable(rolling()),
            version,
            paused);
    conditions.setOrKeep(
        ConditionType.OperatorUpdatePending,
        update.map(known -> OperatorUpdatePendingCondition.of(known, observed.shards())));
    conditions.setOrKeep(
        ConditionType.NodeEvictionsAllowed,
        guard.map(
            verdict -> NodeEvictionsAllowedCondition.of(verdict, GuardSpec.of(spec.guard()))));
    conditions
        .current(ConditionType.NodeEvictionsAllowed)
        .filter(held -> held.status().equals(Condition.FALSE))
        .map(held -> Reason.valueOf(held.reason()))
        .ifPresent(
            cause ->
                conditions.set(
                    ConditionType.Degraded,
                    DegradedCondition.evictionsHeld(
                        conditions.current(ConditionType.Degraded), cause)));
    if (addons.isEmpty()) {
      conditions.keep(ConditionType.AddonsReady);
    } else {
      AddonsReadyCondition.of(addons.get())
          .ifPresent(verdict -> conditions.set(ConditionType.AddonsReady, verdict));
    }
    ProgressingCondition.inTurn(turn, most)
        .ifPresent(waits -> conditions.set(ConditionType.Progressing, waits));
    LeaderConditions.report(
        conditions,
        observed,
        probe.filter(EndpointProbe.Result::answers).map(_ -> leaders).orElse(Leaders.UNKNOWN));
    Optional<RotationStatus> rotation = rotation();
    RefusedConditions.report(conditions, controlPlane, refusals);
    ToolConditions.derive(conditions);
    return rotation;
  }

  /** Null for none, as the rest of the status has it. */
  private List<AddonStatus> addons() {
    if (addons.isEmpty()) {
      return controlPlane.getStatus() == null ? null : controlPlane.getStatus().addons();
    }
    List<AddonStatus> known =
        addons.get().stream().filter(report -> !report.removed()).map(AddonReport::status).toList();
    return known.isEmpty() ? null : known;
  }

  private RolloutStatus rolling() {
    return rollout.isPresent()
        ? rollout.get().status().orElse(null)
        : controlPlane.getStatus() == null ? null : controlPlane.getStatus().rollout();
  }

  private Optional<RotationStatus> rotation() {
    ControlPlaneStatus before = controlPlane.getStatus();
    List<Rotation> rotations = observed.pki().rotations();
    Optional<RotationStatus> rotation =
        RotationCompleteCondition.status(
            rotations, before == null ? null : before.rotation(), clock.instant());
    conditions.setOrKeep(
        ConditionType.RotationComplete,
        rotations.isEmpty()
            ? Optional.empty()
            : Optional.of(
                RotationCompleteCondition.of(rotations, rotation.orElse(null), leaders())));
    return rotation;
  }

  private Map<String, String> leaders() {
    RotationSpec spec = PkiSpec.rotation(controlPlane.getSpec().pki());
    Map<String, String> leaders = new HashMap<>();
    observed
        .orders()
        .leader(spec, TaskCredential.CA)
        .ifPresent(task -> leaders.put(Rotation.CA, task));
    observed
        .orders()
        .leader(spec, TaskCredential.ServiceAccountKey)
        .ifPresent(task -> leaders.put(Rotation.SERVICE_ACCOUNT_KEY, task));
    observed
        .orders()
        .leader(spec, TaskCredential.EncryptionKey)
        .ifPresent(task -> leaders.put(Rotation.ENCRYPTION_KEY, task));
    return leaders;
  }

  /** Whether the API has not answered for so long that nobody keeps connections to it open. */
  public boolean isLongSilent() {
    return probe.filter(result -> !result.answers()).isPresent()
        && conditions
            .current(ConditionType.Available)
            .filter(
                available -> ConditionSet.since(available).isBefore(clock.instant().minus(SILENCE)))
            .isPresent();
  }

  /** How long until a message is to be another one, whatever happens. */
  public Optional<Duration> untilPatienceEnds() {
    return conditions.untilPatienceEnds();
  }

  /** Conditions that changed. */
  public List<Condition> changes() {
    return conditions.changes();
  }

  /**
   * What no condition tells, since it was over before anybody looked.
   *
   * @param begun when this operator began
   */
  public Optional<News> outage(Instant begun) {
    return UnseenOutage.of(conditions.previous(ConditionType.StoresReady), observed.shards())
        .filter(outage -> outage.endedAfter(begun))
        .filter(_ -> conditions.isTrue(ConditionType.StoresReady))
        .map(UnseenOutage::news);
  }
}
