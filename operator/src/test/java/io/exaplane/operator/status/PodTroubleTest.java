// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodTroubleTest {
  private static final String BACK_OFF =
      "state: {waiting: {reason: CrashLoopBackOff, message: back-off 5m0s restarting}}";
  private static final String RUNS = "state: {running: {}}";
  private static final String ADD =
      "; add a node that accepts the pod, or change the pod's requirements in the spec";
  private static final String DESCRIBE = "; see 'kubectl -n ns describe pod p'";
  private static final String IMAGE = "; check the image's name, the registry and the pull secret";
  private static final String LOGS = "; see 'kubectl -n ns logs p -c ";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // what a status has | what is said of it | the next action
        "{} | |",
        "phase: Running, containerStatuses: [{name: c, ready: false, state: {running: {}}}] | |",
        "containerStatuses: [{name: c, ready: false, state: {waiting: {reason: ContainerCreating}}}] | |",
        "conditions: [{type: Ready, status: 'True'}], containerStatuses: [{name: c, ready: true, lastState: {terminated: {exitCode: 1, reason: Error}}, state: {running: {}}}] | |",
        // no node takes it
        "conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, message: "
            + "'0/3 nodes are available: 3 Insufficient memory.'}] | no node accepts the pod "
            + "(Unschedulable): 0/3 nodes are available: 3 Insufficient memory. | "
            + ADD,
        "conditions: [{type: PodScheduled, status: 'False', reason: SchedulingGated}] | no "
            + "node accepts the pod (SchedulingGated) | "
            + ADD,
        // a node does not keep it
        "phase: Failed, reason: Evicted, message: 'The node was low on resource: memory.' | Evicted: The node was low on resource: memory. | "
            + "; free what the node is short of, or add a node"
            + DESCRIBE,
        // images
        "containerStatuses: [{name: c, ready: false, state: {waiting: {reason: "
            + "ImagePullBackOff, message: 'Back-off pulling image \"r/i:1\"'}}}] | image r/i:1 of "
            + "container c cannot be pulled (ErrImagePull, ImagePullBackOff) | "
            + IMAGE,
        "containerStatuses: [{name: c, ready: false, state: {waiting: {reason: "
            + "ImagePullBackOff, message: 'Back-off pulling image \"r/i:1\": ErrImagePull: rpc "
            + "error: not found'}}}] | image r/i:1 of container c cannot be pulled (ErrImagePull, ImagePullBackOff): rpc error: not "
            + "found | "
            + IMAGE,
        "containerStatuses: [{name: c, ready: false, state: {waiting: {reason: ErrImagePull, "
            + "message: 'rpc error: not found'}}}] | image r/i:1 of container c cannot be pulled (ErrImagePull, ImagePullBackOff): "
            + "rpc error: not found | "
            + IMAGE,
        "containerStatuses: [{name: c, ready: false, state: {waiting: {reason: "
            + "InvalidImageName, message: 'couldn''t parse'}}}] | image r/i:1 of container c cannot be "
            + "used (InvalidImageName): couldn't parse | "
            + IMAGE,
        // what it needs is not there
        "containerStatuses: [{name: c, ready: false, state: {waiting: {reason: "
            + "CreateContainerConfigError, message: 'secret \"x\" not found'}}}] | container c is "
            + "waiting (CreateContainerConfigError): secret \"x\" not found | "
            + "; create the Secret, ConfigMap or key that the message names, or correct the field"
            + DESCRIBE,
        // it ends
        "containerStatuses: [{name: c, ready: false, lastState: {terminated: {exitCode: 137, reason: OOMKilled}}, state: {waiting: {reason: CrashLoopBackOff}}}] | container c was killed for its memory (OOMKilled) | ; raise the memory limit of the container",
        "containerStatuses: [{name: c, ready: false, restartCount: 1, lastState: {terminated: {exitCode: 137, reason: Error}}, state: {waiting: {reason: CrashLoopBackOff}}}] | container c ended with code 137 (CrashLoopBackOff); SIGKILL ended the process: if its memory ran out, raise the memory limit of the container | "
            + LOGS
            + "c --previous'",
        "containerStatuses: [{name: c, ready: false, state: {terminated: {exitCode: 128, reason: ContainerCannotRun, message: 'exec: no such file'}}}] | container c ended with code 128 (ContainerCannotRun): exec: no such file | "
            + LOGS
            + "c --previous'",
        "containerStatuses: [{name: c, ready: false, lastState: {terminated: {exitCode: 0, "
            + "reason: Completed}}, state: {waiting: {reason: CrashLoopBackOff, message: back-off "
            + "10s}}}] | container c is waiting (CrashLoopBackOff) | "
            + DESCRIBE,
        "containerStatuses: [{name: c, ready: false, lastState: {terminated: {exitCode: 0, reason: Completed}}, state: {running: {}}}] | |",
        // first containers come first
        "initContainerStatuses: [{name: a, ready: true, state: {terminated: {exitCode: 0}}}, "
            + "{name: b, ready: false, state: {waiting: {reason: ImagePullBackOff}}}], "
            + "containerStatuses: [{name: c, ready: false, state: {waiting: {reason: "
            + "PodInitializing}}}] | image r/b:1 of container b cannot be pulled (ErrImagePull, ImagePullBackOff) | "
            + IMAGE,
        "initContainerStatuses: [{name: b, ready: false, state: {running: {}}}], containerStatuses: [{name: c, ready: false, state: {waiting: {reason: PodInitializing}}}] | |",
        "initContainerStatuses: [{name: b, ready: false, lastState: {terminated: {exitCode: 3, reason: Error, message: held}}, state: {waiting: {reason: CrashLoopBackOff}}}] | container b ended with code 3: held | "
            + LOGS
            + "b --previous'",
      })
  void eachKindOfTroubleIsSaidInItsOwnWords(String status, String words, String next) {
    assertThat(PodTrouble.of(pod("p", status), Optional.empty()).orElse(null))
        .isEqualTo(words == null ? null : words + next);
  }

  /** One that refuses damaged files ends with one line, and again and again. */
  @Test
  void theWordsStayWhileAContainerEndsWaitsAndStartsAgain() {
    String ended =
        "{terminated: {exitCode: 65, reason: Error, message: \"INFO a\\nsegment 3 is damaged at 512\\n\\tat x\\n\\n\"}}";
    String expected =
        "container c ended with code 65: segment 3 is damaged at 512" + LOGS + "c --previous'";
    for (String state :
        List.of(
            "state: " + ended,
            BACK_OFF + ", lastState: " + ended,
            BACK_OFF.replace("5m0s", "10s") + ", lastState: " + ended,
            RUNS + ", lastState: " + ended)) {
      Pod pod = pod("p", "containerStatuses: [{name: c, ready: false, %s}]".formatted(state));
      assertThat(PodTrouble.of(pod, Optional.empty())).as(state).contains(expected);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Pending, 'storageClassName: fast', 'claim d is Pending, of StorageClass fast; see ''kubectl -n ns describe pvc d'''",
    "Pending, 'volumeName: v', 'claim d is Pending, of no StorageClass; see ''kubectl -n ns describe pvc d'''",
    "Lost, 'storageClassName: fast', 'claim d is Lost, of StorageClass fast; see ''kubectl -n ns describe pvc d'''",
    "Bound, 'storageClassName: fast',",
  })
  void aClaimThatIsNotBoundIsNamed(String phase, String spec, String words) {
    Optional<PersistentVolumeClaim> claim =
        Optional.of(
            Serialization.unmarshal(
                """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: d, namespace: ns}
                spec: {%s}
                status: {phase: %s}
                """
                    .formatted(spec, phase),
                PersistentVolumeClaim.class));
    assertThat(PodTrouble.of(pod("p", "phase: Pending"), claim).orElse(null)).isEqualTo(words);
    String unscheduled =
        "conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, message: unbound}]";
    assertThat(PodTrouble.of(pod("p", unscheduled), claim))
        .contains(
            "no node accepts the pod (Unschedulable): unbound"
                + (words == null ? ADD : "; " + words));
  }

  @Test
  void ofManyPodsTheFirstByNameIsNamedAndThoseThatLeaveAreNot() {
    String trouble = "phase: Failed, reason: Evicted";
    String pulls =
        "containerStatuses: [{name: c, ready: false, state: {waiting: {reason: ErrImagePull}}}]";
    Pod leaving = pod("a", pulls);
    leaving.getMetadata().setDeletionTimestamp("2026-11-26T10:00:00Z");
    assertThat(PodTrouble.of(List.of(pod("d", pulls), pod("c", pulls), leaving, pod("b", trouble))))
        .contains(
            "pod c: image r/i:1 of container c cannot be pulled (ErrImagePull, ImagePullBackOff)"
                + IMAGE);
    assertThat(PodTrouble.of(List.of(leaving, pod("b", "{}")))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "phase: Pending | pod p: no container runs; see the Events in 'kubectl -n ns describe pod p'",
        "initContainerStatuses: [{name: b, ready: false, state: {running: {}}}] | pod p: "
            + "container b runs but is not ready; see 'kubectl -n ns logs p -c b'",
        "containerStatuses: [{name: c, ready: false, state: {running: {}}}] | pod p: container "
            + "c runs but is not ready; see 'kubectl -n ns logs p -c c'",
        "conditions: [{type: Ready, status: 'True'}] |",
      })
  void whatToLookAtFollowsFromHowFarItCame(String status, String words) {
    assertThat(PodTrouble.lookAt(List.of(pod("p", status))).orElse(null)).isEqualTo(words);
  }

  /** Line 34: nobody takes its place before it is gone, on whatever kind of owner's. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "-           | n | on node n; see 'kubectl describe node n'. If the node is lost for good, run 'kubectl taint nodes n node.kubernetes.io/out-of-service=nodeshutdown:NoExecute'",
        "a.io/keep   | n | blocked by the finalizer a.io/keep. Check the controller that owns this finalizer; it must remove it",
        "-           | - | see the Events in 'kubectl -n ns describe pod p'",
      })
  void aPodThatDoesNotLeaveIsNamedAfterAllOthers(String finalizer, String node, String words) {
    Pod leaving = pod("p", "conditions: [{type: Ready, status: 'True'}]");
    leaving.getMetadata().setDeletionTimestamp("2026-11-26T10:00:00Z");
    leaving.getMetadata().setFinalizers(finalizer == null ? List.of() : List.of(finalizer));
    leaving.getSpec().setNodeName(node);
    Pod ready = pod("q", "conditions: [{type: Ready, status: 'True'}]");
    assertThat(PodTrouble.lookAt(List.of(ready, leaving)).orElseThrow())
        .startsWith("pod p: Terminating since 2026-11-26T10:00:00Z")
        .contains(words);
    assertThat(PodTrouble.lookAt(leaving)).contains(words);
    assertThat(PodTrouble.lookAt(List.of(leaving, pod("r", "phase: Pending"))).orElseThrow())
        .startsWith("pod r: no container runs");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pods \"demo-apiserver-6b-x7\" is forbidden: exceeded quota: q, requested: pods=1 | pods is forbidden: exceeded quota: q, requested: pods=1",
        "create Pod d-0 in StatefulSet d failed error: pods \"d-0\" is forbidden | create Pod d-0 in StatefulSet d failed error: pods \"d-0\" is forbidden",
      })
  void aRefusalHasNoNameThatChangesWithEachAttempt(String text, String words) {
    assertThat(Words.refusal(text)).isEqualTo(words);
  }

  @Test
  void theLastEventOfAReasonCounts() {
    List<Event> events =
        List.of(
            event("FailedCreate", "2026-11-26T10:00:00Z", "first"),
            event("FailedCreate", "2026-11-26T10:05:00Z", "last"),
            event("SuccessfulCreate", "2026-11-26T10:06:00Z", "made"));
    assertThat(FailureEvents.latest(events, Set.of("FailedCreate"))).contains("last");
    assertThat(FailureEvents.latest(events, Set.of("FailedMount"))).isEmpty();
  }

  private static Event event(String reason, String at, String message) {
    Event event = new Event();
    event.setReason(reason);
    event.setLastTimestamp(at);
    event.setMessage(message);
    return event;
  }

  private static Pod pod(String name, String status) {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: ns}
        spec:
          initContainers: [{name: a, image: 'r/a:1'}, {name: b, image: 'r/b:1'}]
          containers: [{name: c, image: 'r/i:1'}]
        status: %s
        """
            .formatted(name, status.equals("{}") ? "{}" : "{" + status + "}"),
        Pod.class);
  }
}
