// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Line 34: every way in which Kubernetes does not run a pod is told with the pod, the pod's own
 * reason, its own words, and a next action. What stands here is what kubelet 1.36, kube-scheduler
 * and the controllers write.
 */
class WhyPodsDoNotRunTest {
  private static final Instant STARTED = Instant.parse("2026-11-26T10:00:00Z");
  private static final String WAITING =
      "containerStatuses: [{name: c, ready: false, state: {waiting: {reason: %s, message: '%s'}}}]";
  private static final String ENDED =
      "containerStatuses: [{name: c, ready: false, restartCount: 3, lastState: {terminated: {exitCode: %s, reason: %s, message: '%s'}}, state: {waiting: {reason: %s, message: x}}}]";

  private final EventServer events = new EventServer();

  @AfterEach
  void close() {
    events.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // reason | message of kubelet | next action
        "ErrImagePull | rpc error: code = NotFound | check the image's name",
        "ImagePullBackOff | Back-off pulling image \"i\": ErrImagePull: rpc error: code = NotFound | check the image's name",
        "ErrImageNeverPull | Container image \"i\" is not present with pull policy of Never | check the image's name",
        "InvalidImageName | Failed to apply default image tag \"I:\" | check the image's name",
        "ImageInspectError | Failed to inspect image | check the image's name",
        "RegistryUnavailable | the registry is unavailable | the registry",
        "SignatureValidationFailed | image pull failed because the signature validation failed | check the image's name",
        "CreateContainerConfigError | secret \"x\" not found | create the Secret, ConfigMap or key",
        "CreateContainerConfigError | couldn't find key tls.crt in Secret ns/x | create the Secret, ConfigMap or key",
        "CreateContainerConfigError | configmap \"x\" not found | create the Secret, ConfigMap or key",
        "CreateContainerError | context deadline exceeded | check the container runtime",
        "RunContainerError | failed to start containerd task | check the container's command",
        "PostStartHookError | command 'x' exited with 1 | check the container's lifecycle hook",
        "CrashLoopBackOff | back-off 10s restarting failed container | kubectl -n ns describe pod p",
        "SomethingNew | words | kubectl -n ns describe pod p",
      })
  void aContainerThatWaits(String reason, String message, String action) {
    for (String status :
        List.of(
            WAITING.formatted(reason, message.replace("'", "''")),
            WAITING
                .formatted(reason, "m")
                .replace("containerStatuses: [{name: c", "initContainerStatuses: [{name: b"))) {
      String told = trouble(status);
      assertThat(told).startsWith("pod p: ").contains(reason).contains(action);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "65, Error, segment 3 is damaged, CrashLoopBackOff, CrashLoopBackOff, kubectl -n ns logs p -c c --previous",
    "137, OOMKilled, '', CrashLoopBackOff, OOMKilled, raise the memory limit",
    "128, StartError, exec: no such file, RunContainerError, StartError, kubectl -n ns logs p -c c --previous",
    "128, ContainerCannotRun, exec: no such file, CrashLoopBackOff, ContainerCannotRun, kubectl -n ns logs p -c c --previous",
    "137, Error, '', CrashLoopBackOff, code 137, kubectl -n ns logs p -c c --previous",
    "255, ContainerStatusUnknown, The container could not be located, ContainerCreating, ContainerStatusUnknown, kubectl",
  })
  void aContainerThatEnds(
      String code, String reason, String message, String waits, String own, String action) {
    String told = trouble(ENDED.formatted(code, reason, message, waits));
    assertThat(told)
        .startsWith("pod p: container c ")
        .contains(own)
        .contains(message)
        .contains(action);
  }

  /** Each attempt is told in turns as one and the other; a status is written once. */
  @Test
  void theWordsStayFromOneAttemptToTheNext() {
    String ended = ENDED.formatted("128", "StartError", "exec: no such file", "%s");
    assertThat(trouble(ended.formatted("RunContainerError")))
        .isEqualTo(trouble(ended.formatted("CrashLoopBackOff")));
    assertThat(trouble(WAITING.formatted("ErrImagePull", "rpc error: x")))
        .isEqualTo(
            trouble(WAITING.formatted("ImagePullBackOff", "Back-off: ErrImagePull: rpc error: x")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Evicted | The node was low on resource: memory. | free what the node is short of",
        "DeadlineExceeded | Pod was active on the node longer than the specified deadline | remove activeDeadlineSeconds",
        "OutOfcpu | Node didn't have enough resource: cpu, requested: 4000 | add a node with room",
        "OutOfmemory | Node didn't have enough resource: memory | add a node with room",
        "OutOfpods | Node didn't have enough resource: pods | add a node with room",
        "NodeAffinity | Predicate NodeAffinity failed | restore the node's labels",
        "UnexpectedAdmissionError | Allocate failed due to no healthy devices | check the kubelet's log",
        "TopologyAffinityError | Resources cannot be allocated | add a node",
        "Preempting | Preempted in order to admit critical pod | raise the pod's priority",
        "NodeShutdown | Pod was rejected as the node is shutting down. | wait until the node is back",
        "Terminated | Pod was terminated in response to imminent node shutdown. | wait until the node is back",
        "NodeLost | Node n which was running pod p is unresponsive | repair the node",
        "SomethingNew | words | kubectl -n ns describe pod p",
      })
  void aPodThatItsNodeDoesNotKeep(String reason, String message, String action) {
    assertThat(
            trouble(
                "phase: Failed, reason: %s, message: '%s'"
                    .formatted(reason, message.replace("'", "''"))))
        .startsWith("pod p: " + reason + " on node n: " + message)
        .contains(action);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "reason: Unschedulable, message: '0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.'}] | Unschedulable | add a node",
        "reason: Unschedulable, message: '0/3 nodes are available: 3 Insufficient cpu.'}], nominatedNodeName: n2 | Unschedulable | node n2 ends other pods",
        "reason: SchedulerError, message: 'running PreFilter plugin: x'}] | SchedulerError | add a node",
      })
  void aPodThatNoNodeTakes(String condition, String own, String action) {
    assertThat(trouble("conditions: [{type: PodScheduled, status: 'False', " + condition))
        .contains("(" + own + ")")
        .contains(action);
  }

  @Test
  void aPodWithAGate() {
    Pod pod =
        pod(
            "conditions: [{type: PodScheduled, status: 'False', reason: SchedulingGated, message: 'Scheduling is blocked due to non-empty scheduling gates'}]",
            "schedulingGates: [{name: example.com/wait}], ");
    assertThat(PodTrouble.of(List.of(pod)))
        .contains(
            "pod p: no node accepts the pod (SchedulingGated): Scheduling is blocked due to non-empty scheduling gates; the scheduling gate example.com/wait holds the pod. Check the controller that set the gate");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // containers | Event | its message | next action
        "waiting | FailedMount | MountVolume.SetUp failed for volume \"x\" : secret \"y\" not found | create what the message names",
        "waiting | FailedAttachVolume | Multi-Attach error for volume \"pvc-1\" | detach the volume",
        "waiting | FailedMapVolume | MapVolume failed | repair the volume",
        "waiting | FailedCreatePodSandBox | Failed to create pod sandbox: no free address | repair the network plugin",
        "waiting | NetworkNotReady | network is not ready: cni plugin not initialized | repair the network plugin",
        "waiting | FailedPrepareDynamicResources | driver x is not registered | repair the device driver",
        "running | Unhealthy | Readiness probe failed: HTTP probe failed with statuscode: 500 | see the logs",
        "running | Unhealthy | Liveness probe failed: timeout | see the logs",
        "running | FailedPostStartHook | exec failed | check the container's lifecycle hook",
      })
  void whatOnlyEventsTell(String state, String reason, String message, String action) {
    events.say("u", reason, message);
    Pod pod = pod(state(state), "");
    Instant soon = STARTED.plusSeconds(20);
    assertThat(PodTrouble.of(PodEvents.read(List.of(pod), events.client(), soon))).isEmpty();
    Instant late = STARTED.plusSeconds(130);
    assertThat(PodTrouble.of(PodEvents.read(List.of(pod), events.client(), late)).orElseThrow())
        .startsWith("pod p: " + reason + ": " + message)
        .contains(action)
        .endsWith("; see 'kubectl -n ns describe pod p'");
  }

  /** Ids of sandboxes and ports of clients would make each attempt another status. */
  @Test
  void whatChangesWithEachAttemptIsLeftOut() {
    events.say(
        "u",
        "FailedCreatePodSandBox",
        "failed to setup network for sandbox \"%s\": read tcp [fd00::1]:43210->[fd00::2]:443: EOF"
            .formatted("0123456789abcdef".repeat(4)));
    Pod pod = PodEvents.read(pod(state("waiting"), ""), events.client());
    assertThat(PodTrouble.of(pod, Optional.empty()).orElseThrow())
        .contains("for sandbox \"…\": read tcp …->[fd00::2]:443: EOF");
  }

  @Test
  void aNodeThatIsLostIsNamed() {
    assertThat(
            trouble(
                "phase: Running, conditions: [{type: Ready, status: 'False'}], containerStatuses: [{name: c, ready: true, state: {running: {}}}]"))
        .contains("node n no longer says so")
        .contains("Repair the node");
  }

  @Test
  void nobodyIsAskedOfPodsThatAreReadyOrSayThemselvesWhatTheyLack() {
    events.say("u", "FailedMount", "x");
    Instant late = STARTED.plusSeconds(1_000);
    for (String status :
        List.of(
            "startTime: '%s', conditions: [{type: Ready, status: 'True'}]".formatted(STARTED),
            "startTime: '%s', %s".formatted(STARTED, WAITING.formatted("ErrImagePull", "x")),
            "phase: Pending")) {
      assertThat(PodEvents.standsStill(pod(status, ""), late)).as(status).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ProvisioningFailed | storageclass.storage.k8s.io \"fast\" not found | change the StorageClass",
        "FailedBinding | no persistent volumes available for this claim and no storage class is set | create a volume",
        "WaitForFirstConsumer | waiting for first consumer to be created before binding | when a node accepts the pod",
        "ExternalProvisioning | Waiting for a volume to be created | check that the provisioner",
      })
  void whyAClaimIsNotBound(String reason, String message, String action) {
    events.say("c", reason, message);
    assertThat(
            PodEvents.ofClaim(
                    events.client(),
                    Serialization.unmarshal(
                        "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: d, namespace: ns, uid: c}",
                        io.fabric8.kubernetes.api.model.PersistentVolumeClaim.class))
                .orElseThrow())
        .startsWith(reason + ": " + message)
        .contains(action);
  }

  private static String state(String state) {
    return "startTime: '%s', containerStatuses: [{name: c, ready: false, state: {%s}}]"
        .formatted(
            STARTED,
            state.equals("running") ? "running: {}" : "waiting: {reason: ContainerCreating}");
  }

  private static String trouble(String status) {
    return PodTrouble.of(List.of(pod(status, ""))).orElseThrow();
  }

  private static Pod pod(String status, String spec) {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: ns, uid: u}
        spec: {%snodeName: n, initContainers: [{name: b, image: i}], containers: [{name: c, image: i}]}
        status: {%s}
        """
            .formatted(spec, status),
        Pod.class);
  }
}
