// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.status.LifecycleStatus;
import io.exaplane.operator.controlplane.status.StatusReporter;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.restart.Looks;
import io.exaplane.operator.restart.RestartPlan;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ComponentRestartsTest {
  private static final Instant NOON = Looks.NOON;
  private static final Instant OLD = NOON.minus(Duration.ofDays(1));

  private final ControlPlane controlPlane =
      Fixtures.controlPlane("{version: 1.36.3, maxNodes: 10}");
  private List<StoreShard> shards =
      List.of(shard("default", true, OLD), shard("events", true, OLD));
  private final List<Pod> pods = new ArrayList<>();

  /** kube-apiserver ends without any of its stores, the one of Events among them. */
  @Test
  void anApiserverIsReplacedWhenTheLastOfItsStoresIsBack() {
    pods.add(of("apiserver", Looks.waits("demo-apiserver-1", OLD, 9, NOON.minusSeconds(30))));
    shards = List.of(shard("default", true, OLD), shard("events", false, NOON.minusSeconds(60)));
    assertThat(look(NOON).replaced()).isEmpty();
    shards = List.of(shard("default", true, OLD));
    assertThat(look(NOON).replaced()).as("a store that is not there yet").isEmpty();
    shards = List.of(shard("default", true, OLD), shard("events", true, NOON.minusSeconds(10)));
    assertThat(look(NOON).replaced())
        .hasValueSatisfying(pod -> assertThat(pod.pod()).isEqualTo("demo-apiserver-1"));
    assertThat(look(NOON, false).replaced()).as("the spec is refused").isEmpty();
  }

  @Test
  void controllersAreReplacedWhenTheFirstApiserverIsReadyAgain() {
    pods.add(of("scheduler", Looks.waits("demo-scheduler-1", OLD, 9, NOON.minusSeconds(30))));
    pods.add(of("apiserver", Looks.starts("demo-apiserver-1", OLD)));
    assertThat(look(NOON).replaced()).isEmpty();
    pods.set(1, of("apiserver", Looks.ready("demo-apiserver-1", OLD, 1, NOON.minusSeconds(10))));
    pods.add(of("apiserver", Looks.ready("demo-apiserver-2", OLD, 1, NOON.minusSeconds(5))));
    assertThat(look(NOON).replaced())
        .hasValueSatisfying(pod -> assertThat(pod.pod()).isEqualTo("demo-scheduler-1"));
    pods.set(1, of("apiserver", Looks.ready("demo-apiserver-1", OLD, 0, OLD)));
    RestartPlan own = look(NOON);
    assertThat(own.replaced()).as("one served all the time").isEmpty();
    assertThat(own.verdict("").reason()).isEqualTo(Reason.CrashLooping);
    assertThat(own.verdict("").message())
        .startsWith("kube-scheduler fails by itself")
        .contains("pod demo-scheduler-1: container main ended with code 1");
  }

  /** What the status says is there for the next operator, and a second look writes nothing. */
  @Test
  void aHeldComponentIsInTheStatusUntilAPersonForgives() {
    pods.add(of("apiserver", Looks.ready("demo-apiserver-1", OLD, 0, OLD)));
    pods.add(of("controller-manager", Looks.waits("demo-controller-manager-1", OLD, 0, NOON)));
    tell(NOON);
    assertThat(condition().status()).isEqualTo(Condition.TRUE);
    for (int kill = 1; kill <= 6; kill++) {
      Instant now = NOON.plusSeconds(40L * kill);
      pods.set(
          1, of("controller-manager", Looks.waits("demo-controller-manager-1", OLD, kill, now)));
      tell(now);
    }
    assertThat(condition().status()).isEqualTo(Condition.FALSE);
    assertThat(condition().reason()).isEqualTo(Reason.RestartsHeld.name());
    assertThat(condition().message())
        .contains(
            "kube-controller-manager restarted 6 times within 10m",
            "spec.restart.budget allows 5",
            "kubectl -n ns annotate --overwrite controlplane demo exaplane.io/release-restarts=");
    ControlPlaneStatus told = controlPlane.getStatus();
    tell(NOON.plusSeconds(300));
    assertThat(controlPlane.getStatus()).as("a second look").isEqualTo(told);
    assertThat(
            LifecycleStatus.removing(controlPlane, List.of("x"), Clock.fixed(NOON, ZoneOffset.UTC))
                .status()
                .restart())
        .isEqualTo(told.restart());
    controlPlane.getMetadata().setAnnotations(new HashMap<>(Map.of(Names.RELEASE_RESTARTS, "now")));
    tell(NOON.plusSeconds(301));
    assertThat(condition().status()).isEqualTo(Condition.TRUE);
    assertThat(controlPlane.getStatus().restart().released()).isEqualTo("now");
  }

  private RestartPlan look(Instant now) {
    return look(now, true);
  }

  private RestartPlan look(Instant now, boolean mayReplace) {
    return ComponentRestarts.plan(observed(), mayReplace, now);
  }

  /** As the reconciler does, and through the API server: what is not in the schema is lost. */
  private void tell(Instant now) {
    Observed observed = observed();
    StatusReporter reporter =
        new StatusReporter(
            observed, Optional.empty(), Optional.empty(), Clock.fixed(now, ZoneOffset.UTC));
    reporter.restarts(ComponentRestarts.plan(observed, true, now));
    ControlPlane copy = new ControlPlane();
    copy.setStatus(reporter.status(Optional.empty(), false));
    controlPlane.setStatus(
        Serialization.unmarshal(Serialization.asJson(copy), ControlPlane.class).getStatus());
  }

  private Condition condition() {
    return controlPlane.getStatus().conditions().stream()
        .filter(condition -> condition.type().equals(ConditionType.RestartBudgetAvailable.name()))
        .findFirst()
        .orElseThrow();
  }

  private Observed observed() {
    return new Observed(
        Fixtures.sized(controlPlane),
        shards,
        Optional.empty(),
        Optional.of(new ControlPlaneStatus.Endpoint("fd00::1", 6443)),
        Optional.empty(),
        Fixtures.nothingIssued(),
        Optional.empty(),
        List.of(
            deployment("apiserver", (int) count("apiserver")),
            deployment("controller-manager", (int) count("controller-manager")),
            deployment("scheduler", (int) count("scheduler"))),
        List.copyOf(pods),
        new Scheduling(Optional.empty(), Optional.empty(), false));
  }

  private long count(String component) {
    return pods.stream()
        .filter(pod -> ControlPlaneNames.isOf(component, pod.getMetadata().getLabels()))
        .count();
  }

  private static Pod of(String component, Pod pod) {
    pod.getMetadata().setLabels(new ControlPlaneNames("demo").labels(component));
    return pod;
  }

  private static Deployment deployment(String component, int replicas) {
    return Serialization.unmarshal(
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: demo-%s, namespace: ns, generation: 1}
        spec: {replicas: %d, template: {metadata: {}, spec: {containers: [{name: c, image: 'i:v1.36.3'}]}}}
        status: {observedGeneration: 1}
        """
            .formatted(component, replicas),
        Deployment.class);
  }

  private static StoreShard shard(String store, boolean ready, Instant since) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: StoreShard
        metadata: {name: demo-%s, namespace: ns}
        spec: {tls: {secretRef: {name: t}}}
        status: {conditions: [{type: Ready, status: "%s", reason: Starting, message: "It.", lastTransitionTime: "%s"}]}
        """
            .formatted(store, ready ? "True" : "False", since),
        StoreShard.class);
  }
}
