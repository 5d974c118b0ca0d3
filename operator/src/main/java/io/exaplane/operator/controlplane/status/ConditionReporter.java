// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.status;

import static io.exaplane.api.v1alpha1.ConditionType.APIServerAvailable;
import static io.exaplane.api.v1alpha1.ConditionType.Available;
import static io.exaplane.api.v1alpha1.ConditionType.CertificatesValid;
import static io.exaplane.api.v1alpha1.ConditionType.ConfigurationValid;
import static io.exaplane.api.v1alpha1.ConditionType.ControllerManagerAvailable;
import static io.exaplane.api.v1alpha1.ConditionType.Degraded;
import static io.exaplane.api.v1alpha1.ConditionType.Deleting;
import static io.exaplane.api.v1alpha1.ConditionType.EndpointReady;
import static io.exaplane.api.v1alpha1.ConditionType.KubeconfigReady;
import static io.exaplane.api.v1alpha1.ConditionType.Progressing;
import static io.exaplane.api.v1alpha1.ConditionType.ReconciliationActive;
import static io.exaplane.api.v1alpha1.ConditionType.RestartBudgetAvailable;
import static io.exaplane.api.v1alpha1.ConditionType.SchedulerAvailable;
import static io.exaplane.api.v1alpha1.ConditionType.SizingValid;
import static io.exaplane.api.v1alpha1.ConditionType.StoreDataAvailable;
import static io.exaplane.api.v1alpha1.ConditionType.StoresReady;
import static io.exaplane.api.v1alpha1.ConditionType.StoresUpToDate;

import io.exaplane.api.v1alpha1.AddonStatus;
import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Store;
import io.exaplane.api.v1alpha1.Criticality;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.RolloutStatus;
import io.exaplane.operator.bundle.Update;
import io.exaplane.operator.controlplane.condition.APIServerAvailableCondition;
import io.exaplane.operator.controlplane.condition.AvailableCondition;
import io.exaplane.operator.controlplane.condition.CertificatesValidCondition;
import io.exaplane.operator.controlplane.condition.ComponentTrouble;
import io.exaplane.operator.controlplane.condition.ControllerManagerAvailableCondition;
import io.exaplane.operator.controlplane.condition.DegradedCondition;
import io.exaplane.operator.controlplane.condition.DeletingCondition;
import io.exaplane.operator.controlplane.condition.EndpointReadyCondition;
import io.exaplane.operator.controlplane.condition.KubeconfigReadyCondition;
import io.exaplane.operator.controlplane.condition.ProgressingCondition;
import io.exaplane.operator.controlplane.condition.ReconciliationActiveCondition;
import io.exaplane.operator.controlplane.condition.SchedulerAvailableCondition;
import io.exaplane.operator.controlplane.condition.StoreDataAvailableCondition;
import io.exaplane.operator.controlplane.condition.StoresReadyCondition;
import io.exaplane.operator.controlplane.condition.StoresUpToDateCondition;
import io.exaplane.operator.controlplane.condition.UnseenOutage;
import io.exaplane.operator.controlplane.hosted.EndpointProbe;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.sizing.SizingValidCondition;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.status.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Sets a control plane's conditions from what was observed. */
final class ConditionReporter {
  private final ConditionSet conditions;
  private final Observed observed;
  private final Optional<EndpointProbe.Result> probe;
  private final Optional<String> refused;
  private final List<Store> stores;
  private final List<AddonStatus> addons;
  private final ControlPlaneNames names;
  private final Instant now;
  private final ComponentTrouble trouble;

  ConditionReporter(
      ConditionSet conditions,
      Observed observed,
      Optional<EndpointProbe.Result> probe,
      Optional<String> refused,
      List<Store> stores,
      List<AddonStatus> addons,
      Instant now) {
    this.now = now;
    this.addons = addons;
    this.conditions = conditions;
    this.observed = observed;
    this.probe = probe;
    this.refused = refused;
    this.stores = stores;
    this.names = observed.controlPlane().names();
    this.trouble = new ComponentTrouble(observed);
  }

  /**
   * Sets them.
   *
   * @param valid of the spec; nothing if its rules could not be looked at
   */
  void report(
      Optional<Problem> configuration,
      Optional<Verdict> valid,
      Optional<Verdict> restarts,
      Optional<Update> update,
      Optional<RolloutStatus> rollout,
      String currentVersion,
      boolean paused) {
    ProgressingCondition progress =
        ProgressingCondition.of(observed, stores, configuration, rollout, currentVersion)
            .until(update);
    conditions
        .setOrKeep(
            Available,
            AvailableCondition.of(
                observed,
                probe,
                stores,
                conditions.previous(Available).isPresent(),
                conditions.wasMet(Available, AvailableCondition.LOSSES)))
        .setOrKeep(
            Progressing,
            valid.isEmpty() && wasRefused() ? Optional.empty() : Optional.of(progress.verdict()))
        .set(Degraded, DegradedCondition.of(observed, refused, stores, currentVersion != null))
        .setOrKeep(ConfigurationValid, valid)
        .setOrKeep(SizingValid, SizingValidCondition.of(observed.sized(), addons))
        .set(CertificatesValid, CertificatesValidCondition.of(observed, now))
        .set(
            StoresReady,
            StoresReadyCondition.of(
                observed, stores, conditions.wasMet(StoresReady, Reason.StoreUnavailable)))
        .set(StoreDataAvailable, StoreDataAvailableCondition.of(observed))
        .set(StoresUpToDate, StoresUpToDateCondition.of(observed.shards()))
        .set(
            APIServerAvailable,
            APIServerAvailableCondition.of(observed, hadPods(APIServerAvailable)))
        .set(
            ControllerManagerAvailable,
            ControllerManagerAvailableCondition.of(observed, hadPods(ControllerManagerAvailable)))
        .set(
            SchedulerAvailable,
            SchedulerAvailableCondition.of(observed, hadPods(SchedulerAvailable)))
        .set(EndpointReady, EndpointReadyCondition.of(observed))
        .set(KubeconfigReady, KubeconfigReadyCondition.of(observed))
        .setOrKeep(RestartBudgetAvailable, restarts)
        .set(ReconciliationActive, ReconciliationActiveCondition.of(observed, paused))
        .set(Deleting, DeletingCondition.no());
    if (conditions.isTrue(StoresReady)) {
      UnseenOutage.of(conditions.previous(StoresReady), observed.shards())
          .ifPresent(outage -> conditions.since(StoresReady, outage.end()));
    }
    limitPatience(progress);
  }

  private boolean wasRefused() {
    return conditions
        .previous(ConfigurationValid)
        .filter(before -> before.status().equals(Condition.FALSE))
        .isPresent();
  }

  private boolean hadPods(ConditionType type) {
    return conditions.wasMet(type, Reason.Unavailable);
  }

  /** What is said of what does not come further; of that which everything else waits for. */
  private void limitPatience(ProgressingCondition progress) {
    conditions.limitPatience(
        condition ->
            condition.type().equals(Progressing.name())
                ? progress.since().orElseGet(() -> ConditionSet.since(condition))
                : ConditionSet.since(condition),
        condition -> {
          if (condition.type().equals(StoresReady.name()) || !storesServe()) {
            return ProgressingCondition.ofStores(observed, stores)
                .orElseGet(
                    () ->
                        "see 'kubectl -n %s describe storeshards -l %s=%s'"
                            .formatted(
                                observed.controlPlane().namespace(),
                                ControlPlaneNames.CONTROL_PLANE_LABEL,
                                observed.controlPlane().name()));
          }
          return observed.endpoint().isEmpty() || condition.type().equals(EndpointReady.name())
              ? "see 'kubectl -n %s describe service %s'"
                  .formatted(
                      observed.controlPlane().namespace(),
                      names.component(ControlPlaneNames.API_SERVER))
              : trouble.firstOrLookAt();
        });
  }

  private boolean storesServe() {
    return stores.stream()
        .allMatch(store -> store.ready() || store.criticality() != Criticality.Critical);
  }
}
