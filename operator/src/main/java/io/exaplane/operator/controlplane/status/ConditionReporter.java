// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.status;

import static io.exaplane.api.v1alpha1.ConditionType.APIServerAvailable;
import static io.exaplane.api.v1alpha1.ConditionType.Available;
import static io.exaplane.api.v1alpha1.ConditionType.CertificatesValid;
import static io.exaplane.api.v1alpha1.ConditionType.ControllerManagerAvailable;
import static io.exaplane.api.v1alpha1.ConditionType.Degraded;
import static io.exaplane.api.v1alpha1.ConditionType.Deleting;
import static io.exaplane.api.v1alpha1.ConditionType.EndpointReady;
import static io.exaplane.api.v1alpha1.ConditionType.KubeconfigReady;
import static io.exaplane.api.v1alpha1.ConditionType.Progressing;
import static io.exaplane.api.v1alpha1.ConditionType.ReconciliationActive;
import static io.exaplane.api.v1alpha1.ConditionType.SchedulerAvailable;
import static io.exaplane.api.v1alpha1.ConditionType.SizingValid;
import static io.exaplane.api.v1alpha1.ConditionType.StoresReady;

import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Certificate;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Store;
import io.exaplane.api.v1alpha1.Criticality;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.hosted.EndpointProbe;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.retention.Retention;
import io.exaplane.operator.controlplane.sizing.OutOfMemory;
import io.exaplane.operator.controlplane.sizing.SizingVerdict;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.pki.PkiResult;
import io.exaplane.operator.rollout.Rollout;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.status.Patience;
import io.fabric8.kubernetes.api.model.apps.Deployment;
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
  private final ControlPlaneNames names;
  private final Instant now;
  private final ComponentTrouble trouble;

  ConditionReporter(
      ConditionSet conditions,
      Observed observed,
      Optional<EndpointProbe.Result> probe,
      Optional<String> refused,
      List<Store> stores,
      Instant now) {
    this.now = now;
    this.conditions = conditions;
    this.observed = observed;
    this.probe = probe;
    this.refused = refused;
    this.stores = stores;
    this.names = observed.controlPlane().names();
    this.trouble = new ComponentTrouble(observed);
  }

  void report(Optional<Problem> configuration, String currentVersion, boolean paused) {
    available();
    ProgressVerdict progress = progressing(configuration, currentVersion);
    degraded(currentVersion);
    ConfigurationCondition.report(conditions, observed.controlPlane(), configuration);
    sizing();
    certificates();
    new StoreConditions(conditions, observed, stores).report();
    component(APIServerAvailable, ControlPlaneNames.API_SERVER);
    component(ControllerManagerAvailable, ControlPlaneNames.CONTROLLER_MANAGER);
    scheduler();
    endpoint();
    kubeconfig();
    conditions.set(
        ReconciliationActive,
        !paused,
        paused ? Reason.Paused : Reason.AsExpected,
        paused
            ? "spec.pausedUntil is %s. Until then the operator changes nothing and renews no certificate; remove the field to continue."
                .formatted(observed.controlPlane().spec().pausedUntil())
            : "The operator applies changes.");
    conditions.set(Deleting, false, Reason.AsExpected, "The control plane is not being deleted.");
    limitPatience(progress);
  }

  private void available() {
    if (probe.isEmpty()
        && observed.endpoint().isPresent()
        && StoreDataVerdict.held(observed.shards()).isEmpty()
        && conditions.previous(Available).isPresent()) {
      // The endpoint is asked in a moment; until then what was known counts.
      conditions.keep(Available);
      return;
    }
    AvailableVerdict verdict =
        AvailableVerdict.of(
            probe,
            stores,
            observed.shards(),
            observed.isStartingAnew(),
            conditions.wasMet(Available, AvailableVerdict.LOSSES));
    conditions.set(Available, verdict.met(), verdict.reason(), verdict.message());
  }

  private ProgressVerdict progressing(Optional<Problem> configuration, String currentVersion) {
    ProgressVerdict verdict = ProgressVerdict.of(observed, stores, configuration, currentVersion);
    conditions.set(Progressing, verdict.met(), verdict.reason(), verdict.message());
    return verdict;
  }

  /** What is said of what does not come further; of that which everything else waits for. */
  private void limitPatience(ProgressVerdict progress) {
    conditions.limitPatience(
        condition ->
            condition.type().equals(Progressing.name())
                ? progress.since().orElseGet(() -> ConditionSet.since(condition))
                : ConditionSet.since(condition),
        condition -> {
          if (condition.type().equals(StoresReady.name()) || !storesServe()) {
            return ProgressVerdict.ofStores(observed, stores)
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

  private void degraded(String currentVersion) {
    DegradedVerdict verdict = DegradedVerdict.of(observed, refused, stores, currentVersion != null);
    conditions.set(Degraded, verdict.met(), verdict.reason(), verdict.message());
  }

  private void certificates() {
    PkiResult pki = observed.pki();
    if (pki.problem().isPresent()) {
      conditions.set(
          CertificatesValid, false, pki.problem().get().reason(), pki.problem().get().message());
    } else if (expired().isPresent()) {
      conditions.set(
          CertificatesValid,
          false,
          Reason.CertificateExpired,
          "%s has expired, and the operator renews nothing while spec.pausedUntil is set; remove the field."
              .formatted(expired().get()));
    } else if (pki.secrets().contains(names.componentSecret(ControlPlaneNames.SCHEDULER))) {
      conditions.set(
          CertificatesValid,
          true,
          Reason.AsExpected,
          "Every certificate is valid. The operator renews leaf certificates automatically."
              + pki.takenOver()
                  .map(
                      before ->
                          " " + Retention.takenOver(observed.controlPlane().asked(), before.uid()))
                  .orElse(""));
    } else {
      conditions.set(
          CertificatesValid,
          false,
          Reason.Creating,
          "The operator issues certificates when the addresses are known." + Patience.NO_ACTION);
    }
  }

  private void sizing() {
    if (observed.sized().tuned().isEmpty()) {
      conditions.keep(SizingValid);
      return;
    }
    SizingVerdict verdict = SizingVerdict.of(observed.sized(), names.tuning());
    conditions.set(SizingValid, verdict.met(), verdict.reason(), verdict.message());
  }

  private Optional<String> expired() {
    return observed.pki().certificates().stream()
        .filter(c -> c.notAfter() != null && Instant.parse(c.notAfter()).isBefore(now))
        .map(Certificate::name)
        .findFirst();
  }

  private void scheduler() {
    SchedulerCondition scheduler = new SchedulerCondition(conditions, observed.scheduling());
    if (observed.scheduling().handedOver()) {
      scheduler.ofPool();
    } else {
      component(SchedulerAvailable, ControlPlaneNames.SCHEDULER);
      scheduler.awaitPool();
    }
  }

  private void component(ConditionType type, String component) {
    Optional<Deployment> deployment = observed.deployment(component);
    int ready = deployment.map(Rollout::ready).orElse(0);
    int desired = deployment.map(d -> d.getSpec().getReplicas()).orElse(0);
    String name = names.component(component);
    String killed = killed(component);
    String why = ready < desired && killed.isEmpty() ? why(component) : killed;
    if (ready > 0) {
      conditions.set(
          type,
          true,
          ready < desired ? Reason.PartlyAvailable : Reason.AsExpected,
          "%d of %d pods of %s are ready.%s".formatted(ready, desired, name, why));
    } else if (deployment.isEmpty()) {
      conditions.set(
          type,
          false,
          Reason.Creating,
          "The operator creates Deployment %s when stores and certificates exist.%s"
              .formatted(name, Patience.NO_ACTION));
    } else {
      boolean wasThere = conditions.wasMet(type, Reason.Unavailable);
      conditions.set(
          type,
          false,
          wasThere ? Reason.Unavailable : Reason.Starting,
          "None of %d pods of %s is ready%s"
              .formatted(
                  desired,
                  name,
                  why.isEmpty()
                      ? ". If this persists, see 'kubectl describe deployment %s'.".formatted(name)
                      : "." + why));
    }
  }

  /** What keeps the pods of a component that are not ready. */
  private String why(String component) {
    return trouble.of(component).map(text -> " " + sentence(text)).orElse("");
  }

  /** That a pod was killed for its memory; for kube-apiserver there is more to say of it. */
  private String killed(String component) {
    return OutOfMemory.of(observed.pods(component), "kube-" + component)
        .map(
            end ->
                " %s%s"
                    .formatted(
                        sentence(end.text()),
                        component.equals(ControlPlaneNames.API_SERVER)
                            ? " See SizingValid for what to do."
                            : ""))
        .orElse("");
  }

  private static String sentence(String text) {
    return Character.toUpperCase(text.charAt(0))
        + text.substring(1)
        + (text.endsWith(".") ? "" : ".");
  }

  private void endpoint() {
    observed
        .endpointProblem()
        .ifPresentOrElse(
            problem -> conditions.set(EndpointReady, false, problem.reason(), problem.message()),
            () ->
                conditions.set(
                    EndpointReady,
                    true,
                    Reason.AsExpected,
                    "Clients reach the API at %s, port %d."
                        .formatted(
                            observed.endpoint().orElseThrow().host(),
                            observed.endpoint().orElseThrow().port())));
  }

  private void kubeconfig() {
    boolean there = observed.pki().secrets().contains(names.adminKubeconfig());
    conditions.set(
        KubeconfigReady,
        there,
        there ? Reason.AsExpected : Reason.Creating,
        there
            ? "Secret %s holds the administrator's kubeconfig.".formatted(names.adminKubeconfig())
            : "The operator writes the kubeconfig when the endpoint has an address."
                + Patience.NO_ACTION);
  }
}
