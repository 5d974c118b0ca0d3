// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.AddonStatus;
import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Endpoint;
import io.exaplane.api.v1alpha1.GuardMode;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.RotationWish;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.bundle.Update;
import io.exaplane.operator.bundle.Updates;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.addon.AddonReport;
import io.exaplane.operator.controlplane.check.ConfigurationCheck;
import io.exaplane.operator.controlplane.hosted.EndpointProbe;
import io.exaplane.operator.controlplane.hosted.GuardVerdict;
import io.exaplane.operator.controlplane.observe.EndpointAddress;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.observe.Scheduling;
import io.exaplane.operator.controlplane.sizing.Model;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.pki.PkiResult;
import io.exaplane.operator.rotation.RotatedKey;
import io.exaplane.operator.rotation.Rotation;
import io.exaplane.operator.rotation.RotationStep.Look;
import io.exaplane.operator.rotation.Stage;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A control plane of which all is well, and then nothing: each condition turns, and says why. */
class EachConditionTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOON, ZoneOffset.UTC);
  private static final Endpoint ENDPOINT = new Endpoint("fd00::1", 6443);

  private final ControlPlane controlPlane =
      Fixtures.controlPlane("{version: 1.36.3, maxNodes: 10}");

  @Test
  void eachOneTurns() {
    controlPlane.setStatus(
        Serialization.unmarshal("version: {current: 1.36.3}", ControlPlaneStatus.class));
    assertThat(told(good(), Optional.empty()))
        .containsEntry(ConditionType.Available, "True AsExpected")
        .containsEntry(ConditionType.Progressing, "False AsExpected")
        .containsEntry(ConditionType.Degraded, "False AsExpected")
        .containsEntry(ConditionType.ConfigurationValid, "True AsExpected")
        .containsEntry(ConditionType.SizingValid, "True AsExpected")
        .containsEntry(ConditionType.CertificatesValid, "True AsExpected")
        .containsEntry(ConditionType.RotationComplete, "True AsExpected")
        .containsEntry(ConditionType.StoresReady, "True AsExpected")
        .containsEntry(ConditionType.StoreDataAvailable, "True AsExpected")
        .containsEntry(ConditionType.StoresUpToDate, "True AsExpected")
        .containsEntry(ConditionType.OperatorUpdatePending, "False AsExpected")
        .containsEntry(ConditionType.APIServerAvailable, "True AsExpected")
        .containsEntry(ConditionType.ControllerManagerAvailable, "True AsExpected")
        .containsEntry(ConditionType.SchedulerAvailable, "True AsExpected")
        .containsEntry(ConditionType.EndpointReady, "True AsExpected")
        .containsEntry(ConditionType.KubeconfigReady, "True AsExpected")
        .containsEntry(ConditionType.NodeEvictionsAllowed, "True AsExpected")
        .containsEntry(ConditionType.ReconciliationActive, "True AsExpected")
        .containsEntry(ConditionType.AddonsReady, "True AsExpected")
        .containsEntry(ConditionType.Ready, "True AsExpected");
    Optional<Problem> broken =
        ConfigurationCheck.check(
            Fixtures.controlPlane("{version: 1.29.0, maxNodes: 10}").getSpec(), new Model());
    controlPlane.setSpec(
        Fixtures.controlPlane(
                "{version: 1.36.3, maxNodes: 10, apiServer: {tuning: {maxRequestsInflight: 9000}}}")
            .getSpec());
    assertThat(told(bad(), broken))
        .containsEntry(ConditionType.Available, "False StoreDataLost")
        .containsEntry(ConditionType.Progressing, "False UnsupportedVersion")
        .containsEntry(ConditionType.Degraded, "True StoreDataLost")
        .containsEntry(ConditionType.ConfigurationValid, "False UnsupportedVersion")
        .containsEntry(ConditionType.SizingValid, "False LimitsExceeded")
        .containsEntry(ConditionType.CertificatesValid, "False Creating")
        .containsEntry(ConditionType.RotationComplete, "False RotationPreparing")
        .containsEntry(ConditionType.StoresReady, "False StoreUnavailable")
        .containsEntry(ConditionType.StoreDataAvailable, "False StoreDataLost")
        .containsEntry(ConditionType.StoresUpToDate, "False OperatorUpdatePending")
        .containsEntry(ConditionType.OperatorUpdatePending, "True OperatorUpdatePending")
        .containsEntry(ConditionType.APIServerAvailable, "False Unavailable")
        .containsEntry(ConditionType.ControllerManagerAvailable, "False Unavailable")
        .containsEntry(ConditionType.SchedulerAvailable, "False Unavailable")
        .containsEntry(ConditionType.EndpointReady, "False Creating")
        .containsEntry(ConditionType.KubeconfigReady, "False Creating")
        .containsEntry(ConditionType.NodeEvictionsAllowed, "False LeasesMissed")
        .containsEntry(ConditionType.ReconciliationActive, "False Paused")
        .containsEntry(ConditionType.AddonsReady, "False AddonFailed")
        .containsEntry(ConditionType.Ready, "False StoreDataLost");
  }

  /** Else Degraded would say that everything works while most nodes are lost. */
  @ParameterizedTest
  @EnumSource(
      value = Reason.class,
      names = {"EndpointUnreachable", "LeaseStoreUnreachable", "LeasesMissed"})
  void evictionsThatAreHeldBackAreTold(Reason cause) {
    controlPlane.setStatus(
        Serialization.unmarshal("version: {current: 1.36.3}", ControlPlaneStatus.class));
    World good = good();
    World frozen =
        new World(
            good.observed(),
            good.probe(),
            guard(true, cause),
            good.update(),
            good.paused(),
            good.addon());
    assertThat(told(frozen, Optional.empty()))
        .containsEntry(ConditionType.Available, "True AsExpected")
        .containsEntry(ConditionType.NodeEvictionsAllowed, "False " + cause)
        .containsEntry(ConditionType.Degraded, "True " + cause);
    assertThat(controlPlane.getStatus().conditions())
        .filteredOn(one -> one.type().equals(ConditionType.Degraded.name()))
        .extracting(Condition::message)
        .containsExactly(
            "The meltdown guard holds evictions back. See NodeEvictionsAllowed for the cause and the"
                + " next action.");
    assertThat(told(good, Optional.empty()))
        .as("afterwards")
        .containsEntry(ConditionType.Degraded, "False AsExpected");
  }

  @Test
  void definitionsThatDoNotFitAreSaidOfTheSizeAlsoInAPassThatDoesNotLook() {
    controlPlane.setStatus(
        Serialization.unmarshal("version: {current: 1.36.3}", ControlPlaneStatus.class));
    World good = good();
    World held =
        new World(
            good.observed(),
            good.probe(),
            good.guard(),
            good.update(),
            good.paused(),
            Reason.DefinitionsDoNotFit);
    assertThat(told(held, Optional.empty()))
        .containsEntry(ConditionType.SizingValid, "False DefinitionsDoNotFit")
        .containsEntry(ConditionType.AddonsReady, "False DefinitionsDoNotFit")
        .containsEntry(ConditionType.Ready, "True AsExpected");
    ControlPlaneStatus next =
        new StatusReporter(good.observed(), good.probe(), Optional.empty(), CLOCK)
            .status(Optional.empty(), false);
    assertThat(next.conditions())
        .filteredOn(one -> one.type().equals(ConditionType.SizingValid.name()))
        .extracting(Condition::reason)
        .containsExactly("DefinitionsDoNotFit");
  }

  /** What one look found. */
  private record World(
      Observed observed,
      Optional<EndpointProbe.Result> probe,
      GuardVerdict guard,
      Update update,
      boolean paused,
      Reason addon) {}

  private World good() {
    return new World(
        observed(
            "True",
            1,
            Optional.of(ENDPOINT),
            Set.of("demo-admin-kubeconfig", "demo-scheduler-pki"),
            rotation(Stage.SINGLE, 0, null)),
        Optional.of(new EndpointProbe.Result("https://[fd00::1]:6443", true, "")),
        guard(false, null),
        Updates.none(),
        false,
        Reason.AsExpected);
  }

  private World bad() {
    return new World(
        observed(
            "False",
            0,
            Optional.empty(),
            Set.of(),
            rotation(Stage.TRUSTED, 1, RotationWish.Prepare)),
        Optional.empty(),
        guard(true, Reason.LeasesMissed),
        new Update(
            Updates.none().of(),
            "b-0",
            false,
            false,
            false,
            List.of("apiserver"),
            "b-0",
            List.of()),
        true,
        Reason.AddonFailed);
  }

  private Map<ConditionType, String> told(World world, Optional<Problem> configuration) {
    StatusReporter reporter =
        new StatusReporter(world.observed(), world.probe(), Optional.empty(), CLOCK);
    reporter.guard(world.guard());
    reporter.update(world.update(), Optional.of("b-0"));
    reporter.addons(List.of(addon(world.addon())));
    ControlPlaneStatus status = reporter.status(configuration, world.paused());
    controlPlane.setStatus(status);
    Map<ConditionType, String> told = new EnumMap<>(ConditionType.class);
    for (Condition condition : status.conditions()) {
      told.put(
          ConditionType.valueOf(condition.type()), condition.status() + " " + condition.reason());
    }
    return told;
  }

  private static AddonReport addon(Reason reason) {
    AddonStatus status =
        Serialization.unmarshal(
            "name: a\nreason: %s\nmessage: Correct the source.".formatted(reason),
            AddonStatus.class);
    return new AddonReport(status, reason, false);
  }

  private Observed observed(
      String serves,
      int ready,
      Optional<Endpoint> endpoint,
      Set<String> secrets,
      Rotation rotation) {
    return new Observed(
        Fixtures.sized(controlPlane),
        List.of(shard("demo-default", serves), shard("demo-events", serves)),
        Optional.empty(),
        endpoint,
        endpoint.isPresent()
            ? Optional.empty()
            : EndpointAddress.find(controlPlane, Optional.empty(), List::of).problem(),
        new PkiResult(
            Optional.empty(),
            Optional.empty(),
            List.of(),
            secrets,
            List.of(),
            Map.of(),
            Optional.empty(),
            List.of(rotation),
            List.of()),
        Optional.empty(),
        Stream.of("apiserver", "controller-manager", "scheduler")
            .map(component -> deployment(component, ready))
            .toList(),
        List.of(),
        new Scheduling(Optional.empty(), Optional.empty(), false));
  }

  private static Deployment deployment(String component, int ready) {
    return Serialization.unmarshal(
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: demo-%1$s, namespace: ns, generation: 1, creationTimestamp: "2026-01-01T00:00:00Z"}
        spec: {replicas: 1, template: {spec: {containers: [{name: c, image: 'i:v1.36.3'}]}}}
        status: {observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: %2$d, availableReplicas: %2$d}
        """
            .formatted(component, ready),
        Deployment.class);
  }

  private static StoreShard shard(String name, String serves) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: StoreShard
        metadata: {name: %s, namespace: ns, uid: s}
        spec: {criticality: Critical, storage: {type: PersistentVolume}, tls: {secretRef: {name: t}}}
        status:
          %s
          conditions:
          - {type: Ready, status: "%s", reason: x, message: "See x.", lastTransitionTime: "2026-01-01T00:00:00Z"}
          - {type: UpToDate, status: "%3$s", reason: x, message: "See x.", lastTransitionTime: "2026-01-01T00:00:00Z"}
        """
            .formatted(
                name,
                serves.equals("True")
                    ? ""
                    : "dataLoss: {incident: l, since: '2026-01-01T00:00:00Z', lastRevision: 7}",
                serves),
        StoreShard.class);
  }

  private static Rotation rotation(Stage stage, int step, RotationWish wish) {
    return new Rotation(
        Rotation.CA,
        new RotatedKey(stage, step, NOON, Map.of(), Map.of()),
        new Look(wish, wish == null, true, true, true),
        wish == null ? List.of() : List.of("demo-apiserver"));
  }

  private static GuardVerdict guard(boolean frozen, Reason cause) {
    return new GuardVerdict(GuardMode.Enforce, frozen, cause, "15 of 20 nodes.", true, "", null);
  }
}
