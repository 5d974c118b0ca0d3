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
import static io.exaplane.api.v1alpha1.ConditionType.SchedulerAvailable;
import static io.exaplane.api.v1alpha1.ConditionType.SizingValid;

import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Certificate;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Store;
import io.exaplane.api.v1alpha1.Criticality;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.ConfigurationCheck;
import io.exaplane.operator.controlplane.ControlPlaneNames;
import io.exaplane.operator.controlplane.Observed;
import io.exaplane.operator.controlplane.hosted.EndpointProbe;
import io.exaplane.operator.controlplane.render.Rollout;
import io.exaplane.operator.controlplane.retention.Retention;
import io.exaplane.operator.controlplane.sizing.OutOfMemory;
import io.exaplane.operator.controlplane.sizing.SizingVerdict;
import io.exaplane.operator.pki.PkiResult;
import io.exaplane.operator.status.ConditionSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Sets a control plane's conditions from what was observed. */
final class ConditionReporter {
  static final String NO_ACTION = " No action is needed.";

  private final ConditionSet conditions;
  private final Observed observed;
  private final Optional<EndpointProbe.Result> probe;
  private final Optional<String> refused;
  private final List<Store> stores;
  private final ControlPlaneNames names;
  private final Instant now;

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
    this.names = new ControlPlaneNames(observed.controlPlane());
  }

  void report(
      Optional<ConfigurationCheck.Problem> configuration, String currentVersion, boolean paused) {
    available();
    progressing(configuration, currentVersion);
    degraded(currentVersion);
    configuration.ifPresentOrElse(
        problem -> conditions.set(ConfigurationValid, false, problem.reason(), problem.message()),
        () ->
            conditions.set(
                ConfigurationValid, true, Reason.AsExpected, "The spec can be carried out."));
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
            ? "spec.pausedUntil is %s: nothing is changed until then and no certificate is renewed; the user removes the field to go on."
                .formatted(observed.controlPlane().getSpec().pausedUntil())
            : "The operator carries out changes.");
    conditions.set(Deleting, false, Reason.AsExpected, "The control plane is not being removed.");
  }

  private void available() {
    AvailableVerdict verdict =
        AvailableVerdict.of(
            probe,
            stores,
            observed.shards(),
            observed.isStartingAnew(),
            conditions.wasMet(Available, AvailableVerdict.LOSSES));
    conditions.set(Available, verdict.met(), verdict.reason(), verdict.message());
  }

  private void progressing(
      Optional<ConfigurationCheck.Problem> configuration, String currentVersion) {
    if (configuration.isPresent()) {
      conditions.set(
          Progressing,
          false,
          configuration.get().reason(),
          "The spec is not carried out, and what runs is left as it is; see ConfigurationValid.");
      return;
    }
    String desired = observed.controlPlane().getSpec().version();
    List<String> rolling = rolling();
    boolean created = currentVersion != null;
    if (observed.pki().problem().isPresent()) {
      conditions.set(
          Progressing,
          false,
          Reason.WaitingForCertificates,
          "Nothing is changed until the certificates are in order; see CertificatesValid.");
    } else if (!created) {
      creating();
    } else if (!currentVersion.equals(desired)) {
      conditions.set(
          Progressing,
          true,
          Reason.Upgrading,
          "From %s to %s; now %s.%s"
              .formatted(
                  currentVersion,
                  desired,
                  rolling.isEmpty() ? "the next component" : String.join(", ", rolling),
                  NO_ACTION));
    } else if (!rolling.isEmpty()) {
      conditions.set(
          Progressing,
          true,
          Reason.RollingOut,
          "Replacing pods of %s.%s".formatted(String.join(", ", rolling), NO_ACTION));
    } else {
      conditions.set(Progressing, false, Reason.AsExpected, "All is as the spec says.");
    }
  }

  private void creating() {
    if (stores.stream().anyMatch(s -> s.criticality() == Criticality.Critical && !s.ready())) {
      conditions.set(
          Progressing, true, Reason.WaitingForStores, "The stores are starting." + NO_ACTION);
    } else if (observed.endpoint().isEmpty()) {
      conditions.set(
          Progressing,
          true,
          Reason.WaitingForEndpoint,
          "The endpoint has no address yet; see EndpointReady.");
    } else if (observed.deployment(ControlPlaneNames.API_SERVER).map(Rollout::ready).orElse(0)
        == 0) {
      conditions.set(
          Progressing,
          true,
          Reason.WaitingForAPIServer,
          "The first kube-apiserver is starting." + NO_ACTION);
    } else {
      conditions.set(
          Progressing, true, Reason.Creating, "The components are starting." + NO_ACTION);
    }
  }

  private List<String> rolling() {
    return observed.deployments().stream()
        .filter(Rollout::isReplacingPods)
        .map(deployment -> deployment.getMetadata().getName())
        .sorted()
        .toList();
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
          "%s has expired and is not renewed while spec.pausedUntil is set; the user removes the field."
              .formatted(expired().get()));
    } else if (pki.secrets().contains(names.componentSecret(ControlPlaneNames.SCHEDULER))) {
      conditions.set(
          CertificatesValid,
          true,
          Reason.AsExpected,
          "Every certificate is in force; leaf certificates are renewed by themselves."
              + pki.takenOver()
                  .map(before -> " " + Retention.takenOver(observed.controlPlane(), before.uid()))
                  .orElse(""));
    } else {
      conditions.set(
          CertificatesValid,
          false,
          Reason.Creating,
          "Certificates are issued when the addresses are known." + NO_ACTION);
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
    if (ready > 0) {
      conditions.set(
          type,
          true,
          ready < desired ? Reason.PartlyAvailable : Reason.AsExpected,
          "%d of %d pods of %s are ready.%s".formatted(ready, desired, name, killed));
    } else if (deployment.isEmpty()) {
      conditions.set(
          type,
          false,
          Reason.Creating,
          "Deployment %s is made when stores and certificates are there.%s"
              .formatted(name, NO_ACTION));
    } else {
      boolean wasThere = conditions.wasMet(type, Reason.Unavailable);
      conditions.set(
          type,
          false,
          wasThere ? Reason.Unavailable : Reason.Starting,
          "None of %d pods of %s is ready; see 'kubectl describe deployment %s' if it stays so.%s"
              .formatted(desired, name, name, killed));
    }
  }

  /** That a pod was killed for its memory; for kube-apiserver there is more to say of it. */
  private String killed(String component) {
    return OutOfMemory.of(observed.pods(component), "kube-" + component)
        .map(
            end ->
                " %s.%s"
                    .formatted(
                        capitalized(end.text()),
                        component.equals(ControlPlaneNames.API_SERVER)
                            ? " See SizingValid for what to do."
                            : ""))
        .orElse("");
  }

  private static String capitalized(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
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
            : "The kubeconfig is written when the endpoint has an address." + NO_ACTION);
  }
}
