// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.observe.Scheduling;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is said of components whose pods do not run, and when. */
class ComponentStatusTest {
  private static final Instant MADE = Instant.parse("2026-11-26T10:00:00Z");
  private static final String PULL =
      "{waiting: {reason: ImagePullBackOff, message: 'Back-off pulling image \"i\"'}}";
  private static final String PULL_WORDS =
      "pod demo-apiserver-1: image i of container kube-apiserver cannot be pulled (ErrImagePull, ImagePullBackOff); check the image's name, the registry and the pull secret";

  private final ControlPlane controlPlane =
      Fixtures.controlPlane("{version: 1.36.3, maxNodes: 10}");
  private List<StoreShard> shards = List.of(shard("True", "The store serves."), events());
  private List<Deployment> deployments = List.of();
  private List<Pod> pods = List.of();
  private Optional<Duration> next = Optional.empty();

  @Test
  void aPodThatCanNotRunIsNamedAtOnceAndProgressingNamesItAfterTwoMinutes() {
    deployments = List.of(deployment("apiserver", 0, "True", MADE, ""));
    pods = List.of(pod(PULL));
    assertThat(message(look(10), ConditionType.APIServerAvailable))
        .isEqualTo("None of 2 pods of demo-apiserver is ready. P" + PULL_WORDS.substring(1) + ".");
    assertThat(message(look(119), ConditionType.Progressing))
        .isEqualTo("The first kube-apiserver is starting. No action is needed.");
    assertThat(next).contains(Duration.ofMillis(1_100));
    ControlPlaneStatus late = look(120);
    assertThat(message(late, ConditionType.Progressing))
        .isEqualTo(
            "The first kube-apiserver is starting. This has taken more than 2 minutes: "
                + PULL_WORDS);
    assertThat(message(late, ConditionType.Available)).endsWith(PULL_WORDS);
    assertThat(look(1_000)).as("a second look").isEqualTo(late);
  }

  @Test
  void aPodThatRunsAndIsNotReadyIsPointedAt() {
    deployments = List.of(deployment("apiserver", 0, "True", MADE, ""));
    pods = List.of(pod("{running: {}}"));
    assertThat(message(look(300), ConditionType.Progressing))
        .endsWith(
            "container kube-apiserver runs but is not ready; see 'kubectl -n ns logs "
                + "demo-apiserver-1 -c kube-apiserver'");
  }

  @Test
  void aQuotaThatRefusesPodsIsNamed() {
    deployments =
        List.of(
            deployment(
                "apiserver",
                0,
                "True",
                MADE,
                ", {type: ReplicaFailure, status: 'True', reason: FailedCreate, message: 'pods \"demo-apiserver-abc\" is forbidden: exceeded quota: q'}"));
    for (ConditionType type :
        List.of(ConditionType.APIServerAvailable, ConditionType.Progressing)) {
      assertThat(message(look(300), type))
          .contains("refuses its pods: pods is forbidden: exceeded quota: q")
          .doesNotContain("abc");
    }
  }

  @Test
  void whatStoresSayIsSaidOfAllThatWaitsForThem() {
    shards =
        List.of(
            shard("False", "Pod demo-default-0: no node accepts the pod; add a node"), events());
    assertThat(message(look(60), ConditionType.Progressing))
        .isEqualTo("The stores are starting. No action is needed.");
    ControlPlaneStatus late = look(121);
    assertThat(message(late, ConditionType.StoresReady))
        .isEqualTo("demo-default: Pod demo-default-0: no node accepts the pod; add a node");
    for (ConditionType type :
        List.of(
            ConditionType.Progressing,
            ConditionType.Available,
            ConditionType.APIServerAvailable,
            ConditionType.CertificatesValid)) {
      assertThat(message(late, type))
          .as(type.name())
          .endsWith("more than 2 minutes: Pod demo-default-0: no node accepts the pod; add a node");
    }
  }

  /** One that replaces many pods takes long, and that is no trouble while it goes on. */
  @Test
  void aRolloutThatGoesOnAsksForNothing() {
    controlPlane.setStatus(
        Serialization.unmarshal(
                """
            apiVersion: exaplane.io/v1alpha1
            kind: ControlPlane
            status: {version: {current: 1.36.3}}
            """,
                ControlPlane.class)
            .getStatus());
    deployments = List.of(deployment("apiserver", 1, "True", MADE.plusSeconds(600), ""));
    pods = List.of(pod(PULL));
    look(0);
    assertThat(message(look(700), ConditionType.Progressing))
        .isEqualTo("Replacing pods of demo-apiserver. No action is needed.");
    assertThat(message(look(720), ConditionType.Progressing)).endsWith(PULL_WORDS);
    assertThat(message(look(720), ConditionType.APIServerAvailable))
        .startsWith("1 of 2 pods of demo-apiserver are ready. Pod demo-apiserver-1: image i");
    deployments = List.of(deployment("apiserver", 1, "False", MADE.plusSeconds(1_200), ""));
    assertThat(message(look(1_201), ConditionType.Progressing))
        .as("past the progress deadline")
        .endsWith(PULL_WORDS);
    assertThat(message(look(1_201), ConditionType.Degraded)).contains(PULL_WORDS);
  }

  @Test
  void aPodThatWasKilledForItsMemoryIsNamedEvenWhenItIsBack() {
    deployments = List.of(deployment("apiserver", 2, "True", MADE, ""));
    pods =
        List.of(
            pod(
                "{running: {}}, lastState: {terminated: {exitCode: 137, reason: OOMKilled, finishedAt: '2026-11-26T10:00:00Z'}}"));
    assertThat(message(look(1), ConditionType.APIServerAvailable))
        .isEqualTo(
            "2 of 2 pods of demo-apiserver are ready. Pod demo-apiserver-1 was killed for its"
                + " memory at 2026-11-26T10:00:00Z with a limit of 3Gi. See SizingValid for what to"
                + " do.");
  }

  @Test
  void oneOfTwoPodsOfEachComponentIsTold() {
    deployments =
        Stream.of("apiserver", "controller-manager", "scheduler")
            .map(component -> deployment(component, 1, "True", MADE, ""))
            .toList();
    assertThat(look(1).conditions())
        .filteredOn(condition -> condition.reason().equals(Reason.PartlyAvailable.name()))
        .extracting(Condition::type)
        .contains("APIServerAvailable", "ControllerManagerAvailable", "SchedulerAvailable");
  }

  private static Deployment deployment(
      String component, int ready, String progressing, Instant updated, String more) {
    return Serialization.unmarshal(
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: demo-%s, namespace: ns, generation: 1, creationTimestamp: "%s"}
        spec: {replicas: 2, template: {spec: {containers: [{name: c, image: 'i:v1.36.3'}]}}}
        status:
          observedGeneration: 1
          replicas: 3
          updatedReplicas: 2
          readyReplicas: %d
          conditions: [{type: Progressing, status: "%s", reason: x, lastUpdateTime: "%s"}%s]
        """
            .formatted(component, MADE, ready, progressing, updated, more),
        Deployment.class);
  }

  private static Pod pod(String state) {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: demo-apiserver-1, namespace: ns, labels: {app.kubernetes.io/component: apiserver}}
        spec: {containers: [{name: kube-apiserver, image: i, resources: {limits: {memory: 3Gi}}}]}
        status: {containerStatuses: [{name: kube-apiserver, ready: false, state: %s}]}
        """
            .formatted(state),
        Pod.class);
  }

  private static StoreShard shard(String ready, String message) {
    return shard("demo-default", ready, message);
  }

  private static StoreShard events() {
    return shard("demo-events", "True", "The store serves.");
  }

  private static StoreShard shard(String name, String ready, String message) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: StoreShard
        metadata: {name: %s, namespace: ns}
        spec: {tls: {secretRef: {name: t}}}
        status: {conditions: [{type: Ready, status: "%s", reason: Starting, message: "%s", lastTransitionTime: "%s"}]}
        """
            .formatted(name, ready, message, MADE),
        StoreShard.class);
  }

  /** The status so many seconds after all was made; the next look knows it. */
  private ControlPlaneStatus look(long seconds) {
    if (controlPlane.getStatus() == null || controlPlane.getStatus().conditions() == null) {
      String version =
          controlPlane.getStatus() == null ? null : controlPlane.getStatus().version().current();
      ControlPlaneStatus first = status(MADE);
      assertThat(first.version().current()).isEqualTo(version);
      controlPlane.setStatus(first);
    }
    ControlPlaneStatus status = status(MADE.plusSeconds(seconds));
    controlPlane.setStatus(status);
    return status;
  }

  private ControlPlaneStatus status(Instant now) {
    Observed observed =
        new Observed(
            Fixtures.sized(controlPlane),
            shards,
            Optional.empty(),
            Optional.of(new ControlPlaneStatus.Endpoint("fd00::1", 6443)),
            Optional.empty(),
            Fixtures.nothingIssued(),
            Optional.empty(),
            deployments,
            pods,
            new Scheduling(Optional.empty(), Optional.empty(), false));
    StatusReporter reporter =
        new StatusReporter(
            observed, Optional.empty(), Optional.empty(), Clock.fixed(now, ZoneOffset.UTC));
    ControlPlaneStatus status = reporter.status(Optional.empty(), false);
    next = reporter.untilPatienceEnds();
    return status;
  }

  private static String message(ControlPlaneStatus status, ConditionType type) {
    return status.conditions().stream()
        .filter(condition -> condition.type().equals(type.name()))
        .map(Condition::message)
        .findFirst()
        .orElseThrow();
  }
}
