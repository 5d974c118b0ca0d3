// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.task.condition.Progress;
import io.exaplane.operator.task.condition.RestartProgress;
import io.exaplane.operator.task.condition.RotateProgress;
import io.exaplane.operator.task.observe.Look;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Line "Tasks": what each state of a control plane means for each task. */
class TaskProgressTest {
  private static final Instant NOON = Instant.parse("2026-11-27T12:00:00Z");
  private static final String TOKEN = "2026-11-27T12:00:00.500Z";

  private static Look look(ControlPlane controlPlane, Deployment deployment, StoreShard shard) {
    return new Look(
        controlPlane,
        Optional.ofNullable(deployment),
        Optional.ofNullable(shard),
        Optional.empty(),
        Optional.empty());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # token on the pods | updated of 4 | all  | status of the control plane               | told
          none                | 4            | 4    | {}                                        | Running WaitForTurn 0 other components have settled
          none                | 4            | 4    | {turn: {state: Waiting}}                  | Running WaitForTurn 0 Other control planes
          mine                | 0            | 4    | {}                                        | Running ReplacePods 0 0 of 4 pods
          mine                | 1            | 5    | {}                                        | Running ReplacePods 25 1 of 4 pods
          mine                | 1            | 4    | "{rollout: {component: apiserver, blockedBy: [{gate: MinReady}]}}" | Running ReplacePods 25 Held by MinReady
          mine                | 4            | 5    | {}                                        | Running ReplacePods 99 4 of 4 pods
          mine                | 4            | 4    | {rollout: {component: apiserver}}         | Running ReplacePods 99 4 of 4 pods
          mine                | 4            | 4    | {rollout: {component: scheduler}}         | Succeeded ReplacePods 100 and settled
          mine                | 4            | 4    | {}                                        | Succeeded ReplacePods 100 and settled
          mine                | 1            | 5    | "{rollout: {component: apiserver, stalledAt: '2026-11-27T12:30:00Z', lastWords: 'no flag'}}" | Failed ReplacePods 25 no flag
          none                | 4            | 4    | "{rollout: {component: apiserver, stalledAt: '2026-11-27T12:30:00Z', rolledBackTo: x}}" | Failed ReplacePods 0 create another task
          mine                | 1            | 5    | "{rollout: {component: scheduler, stalledAt: '2026-11-27T12:30:00Z'}}" | Running ReplacePods 25 1 of 4 pods
          mine                | 1            | 5    | "{rollout: {component: scheduler, stalledAt: '2026-11-27T12:20:00Z', rolledBackTo: x, others: [{component: apiserver, stalledAt: '2026-11-27T12:30:00Z', lastWords: 'no flag'}]}}" | Failed ReplacePods 25 no flag
          mine                | 1            | 5    | "{rollout: {component: scheduler, stalledAt: '2026-11-27T12:20:00Z', rolledBackTo: x, blockedBy: [{gate: MinReady, component: apiserver}], others: [{component: apiserver}]}}" | Running ReplacePods 25 Held by MinReady
          none                | 4            | 4    | "{rollout: {component: apiserver, stalledAt: '2026-11-27T11:59:59Z', rolledBackTo: x}}" | Running WaitForTurn 0 have settled
          mine                | 1            | 5    | "{rollout: {component: apiserver, stalledAt: '2026-11-27T11:59:59Z', rolledBackTo: x}}" | Running ReplacePods 25 1 of 4 pods
          mine                | 4            | 4    | "{rollout: {component: apiserver, stalledAt: '2026-11-27T11:59:59Z', rolledBackTo: x}}" | Succeeded ReplacePods 100 and settled
          """)
  void aRestartCountsPods(String token, int updated, int all, String status, String told) {
    Deployment live =
        Serialization.unmarshal(
            """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: demo-apiserver, generation: 2}
            spec: {replicas: 4, template: {metadata: {annotations: {exaplane.io/restarted-at: %s}}}}
            status: {observedGeneration: 2, replicas: %d, updatedReplicas: %d, availableReplicas: 4}
            """
                .formatted(token.equals("mine") ? "'" + TOKEN + "'" : "before", all, updated),
            Deployment.class);
    ControlPlaneTask task = Tasks.running("restart: {component: KubeAPIServer}", null);
    matches(
        RestartProgress.of(task, look(Tasks.controlPlane(unquoted(status)), live, null), NOON),
        told);
  }

  private static String unquoted(String text) {
    return text.startsWith("\"") ? text.substring(1, text.length() - 1) : text;
  }

  private static void matches(Progress progress, String told) {
    String[] words = told.split(" ", 4);
    assertThat(progress.state() + " " + progress.step() + " " + progress.percent())
        .as(progress.message())
        .isEqualTo(words[0] + " " + words[1] + " " + words[2]);
    assertThat(progress.message()).contains(words[3]);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # asked | done | ready | minutes later | told
          -       | -    | True  | 90            | Running WaitForTurn 0 before stores serve
          mine    | -    | True  | 1             | Running ReplacePods 50 is being replaced
          mine    | -    | False | 29            | Running ReplacePods 50 is being replaced
          mine    | mine | False | 1             | Running ReplacePods 50 is being replaced
          mine    | mine | True  | 1             | Succeeded ReplacePods 100 and serves
          mine    | mine | True  | 90            | Succeeded ReplacePods 100 and serves
          mine    | -    | False | 31            | Failed ReplacePods 50 within spec.rollout.progressDeadline
          """)
  void aRestartOfAStoreIsItsOwnAnswer(
      String asked, String done, String ready, int minutes, String told) {
    StoreShard shard =
        Serialization.unmarshal(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: StoreShard
            metadata: {name: demo-default, namespace: ns}
            spec: {tls: {secretRef: {name: t}}%s}
            status: {conditions: [{type: Ready, status: "%s", message: "The pod is pending."}]%s}
            """
                .formatted(
                    asked.equals("-") ? "" : ", restartedAt: '" + TOKEN + "'",
                    ready,
                    done.equals("-") ? "" : ", restartedAt: '" + TOKEN + "'"),
            StoreShard.class);
    ControlPlaneTask task =
        Tasks.running("restart: {component: Store, store: default}", "ReplacePods");
    matches(
        RestartProgress.of(
            task, look(Tasks.controlPlane("{}"), null, shard), NOON.plusSeconds(60L * minutes)),
        told);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # complete, completeAfter | step      | spec's wish | phase      | minutes since | told
          Automatic                 | -         | -           | -          | 0   | Running Prepare 10 take the new key
          Automatic                 | Prepare   | -           | Completed  | 0   | Running Prepare 10 take the new key
          Automatic                 | Prepare   | -           | Preparing  | 0   | Running Prepare 10 Still to come: demo-apiserver
          Automatic                 | Prepare   | -           | Prepared   | 0   | Running TrustBoth 50 until 2026-11-27T13:00:00Z
          Automatic                 | TrustBoth | -           | Prepared   | 59  | Running TrustBoth 50 Give the bundle
          Automatic                 | TrustBoth | -           | Prepared   | 59  | Running TrustBoth 50 issued before 2026-11-27T12:00:00Z
          Automatic                 | TrustBoth | -           | Prepared   | 60  | Running Complete 60 out of use
          Automatic 30m             | TrustBoth | -           | Prepared   | 31  | Running Complete 60 out of use
          Automatic 0s              | Prepare   | -           | Prepared   | 0   | Running Complete 60 out of use
          Automatic                 | Complete  | -           | Prepared   | 61  | Running Complete 60 out of use
          Automatic                 | Complete  | -           | Completing | 61  | Running Complete 60 Still to come: demo-apiserver
          Automatic                 | Complete  | -           | Completed  | 61  | Succeeded Complete 100 trusted nowhere
          Manual                    | Prepare   | -           | Preparing  | 0   | Running Prepare 10 take the new key
          Manual                    | Prepare   | -           | Prepared   | 0   | Succeeded TrustBoth 100 spec.pki.rotation.ca of the ControlPlane to Complete
          Automatic                 | TrustBoth | Complete    | Prepared   | 1   | Failed TrustBoth 0 Continue with the field
          """)
  void aRotationGoesByPhase(
      String completion, String step, String wish, String phase, int minutes, String told) {
    String[] words = completion.split(" ");
    ControlPlaneTask task =
        Tasks.running(
            "rotate: {credential: CA, complete: %s%s}"
                .formatted(words[0], words.length > 1 ? ", completeAfter: " + words[1] : ""),
            step.equals("-") ? null : step);
    ControlPlane controlPlane =
        Tasks.controlPlane(
            wish.equals("-") ? "" : ", pki: {rotation: {ca: %s}}".formatted(wish),
            phase.equals("-")
                ? "{}"
                : "{pki: {rotation: {ca: {phase: %s, since: '2026-11-27T12:00:00Z'%s}}}}"
                    .formatted(
                        phase, phase.endsWith("ing") ? ", remaining: [demo-apiserver]" : ""));
    matches(
        RotateProgress.of(task, look(controlPlane, null, null), NOON.plusSeconds(60L * minutes)),
        told);
  }

  /**
   * The control plane holds the rotation for nodes that would lose the API, and somebody must act.
   */
  @Test
  void aRotationThatNodesHoldUpNamesTheNextAction() {
    ControlPlaneTask task =
        Tasks.running("rotate: {credential: CA, complete: Automatic}", "Complete");
    Progress progress =
        RotateProgress.of(
            task,
            look(
                Tasks.controlPlane(
                    "{pki: {rotation: {ca: {phase: Prepared, since: '2026-11-27T12:00:00Z',"
                        + " remaining: [workers/node-1]}}}}"),
                null,
                null),
            NOON.plusSeconds(7200));
    matches(
        progress,
        "Running Complete 60 The old key stays trusted. These nodes of NodePools do not follow:"
            + " workers/node-1. Repair the nodes, or see the condition RotationComplete of"
            + " ControlPlane demo");
    assertThat(progress.held()).as("the message names what somebody has to do").isTrue();
  }

  /** Nobody has to choose for tokens: kubelets renew them within the hour that is waited. */
  @Test
  void theKeyOfTokensCompletesByItselfAfterAnHour() {
    ControlPlaneTask task = Tasks.running("rotate: {credential: ServiceAccountKey}", "TrustBoth");
    ControlPlane controlPlane =
        Tasks.controlPlane(
            "{pki: {rotation: {serviceAccountKey: {phase: Prepared, since: '2026-11-27T12:00:00Z'}}}}");
    matches(
        RotateProgress.of(task, look(controlPlane, null, null), NOON.plusSeconds(3599)),
        "Running TrustBoth 50 Create Secrets with tokens");
    matches(
        RotateProgress.of(task, look(controlPlane, null, null), NOON.plusSeconds(3600)),
        "Running Complete 60 out of use");
  }

  /** Nobody outside has the key; the objects that are written again are waited for. */
  @Test
  void theKeyOfEncryptionCompletesWhenAllIsWritten() {
    ControlPlaneTask task = Tasks.running("rotate: {credential: EncryptionKey}", "TrustBoth");
    matches(
        RotateProgress.of(task, look(encrypting("Prepared"), null, null), NOON),
        "Running Complete 60 out of use");
    ControlPlaneTask completes = Tasks.running("rotate: {credential: EncryptionKey}", "Complete");
    matches(
        RotateProgress.of(completes, look(encrypting("Prepared"), null, null), NOON),
        "Running Complete 60 out of use. Still to come: objects of secrets");
    matches(
        RotateProgress.of(completes, look(encrypting("Completed"), null, null), NOON),
        "Succeeded Complete 100 Back up the Secret demo-encryption");
  }

  private static ControlPlane encrypting(String phase) {
    return Tasks.controlPlane(
        "{pki: {rotation: {encryptionKey: {phase: %s, since: '2026-11-27T12:00:00Z', remaining: [objects of secrets]}}}}"
            .formatted(phase));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # issued at, of each leaf                              | told
          ''                                                     | Running Issue 0 0 of 0
          2026-11-27T11:59:59Z 2026-11-27T11:59:59Z              | Running Issue 0 0 of 2
          2026-11-27T12:00:00Z 2026-11-27T11:59:59Z              | Running Issue 50 1 of 2
          2026-11-27T12:00:00Z 2026-11-27T12:00:07Z              | Succeeded Issue 100 2 of 2
          """)
  void leavesAreCounted(String issued, String told) {
    StringBuilder certificates =
        new StringBuilder("{name: ca, notAfter: '2036-01-01T00:00:00Z', sha256: a}");
    for (String at : issued.split(" ")) {
      if (!at.isEmpty()) {
        certificates.append(
            ", {name: c, renewAfter: '2027-01-01T00:00:00Z', sha256: b, issuedAt: '%s'}"
                .formatted(at));
      }
    }
    matches(
        RotateProgress.of(
            Tasks.running("rotate: {credential: Leaves}", "Issue"),
            look(
                Tasks.controlPlane("{pki: {certificates: [%s]}}".formatted(certificates)),
                null,
                null),
            NOON),
        told);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # number in the spec | issued at            | bound group       | told
          3                    | 2026-11-27T12:00:05Z | exaplane:admins:3 | Running Issue 0 exaplane:admins:4
          4                    | 2026-11-27T11:00:05Z | exaplane:admins:3 | Running Issue 0 when stores serve and the published endpoint answers
          4                    | 2026-11-27T11:00:05Z | -                 | Running Issue 0 when stores serve and the published endpoint answers
          4                    | 2026-11-27T11:00:05Z | exaplane:admins:4 | Running Issue 0 is issued next
          4                    | 2026-11-27T12:00:05Z | exaplane:admins:3 | Running BindGroup 50 keep theirs
          4                    | 2026-11-27T12:00:05Z | -                 | Running BindGroup 50 keep theirs
          4                    | 2026-11-27T12:00:05Z | exaplane:admins:4 | Succeeded BindGroup 100 adminKubeconfigRevision: 4
          """)
  void theAdministratorsGroupIsTheNextOne(int number, String issued, String group, String told) {
    ControlPlaneTask task =
        Tasks.with(
            Tasks.task("t", 0, "rotate: {credential: AdminKubeconfig}"),
            "{state: Running, startedAt: '%s', adminKubeconfigRevision: 4}".formatted(TOKEN));
    ControlPlane controlPlane =
        Tasks.controlPlane(
            ", pki: {adminKubeconfigRevision: %d}".formatted(number),
            "{pki: {certificates: [{name: admin-kubeconfig/admin, renewAfter: x, sha256: b, issuedAt: '%s'}]}}"
                .formatted(issued));
    matches(
        RotateProgress.of(
            task,
            new Look(
                controlPlane,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                group.equals("-") ? Optional.empty() : Optional.of(group)),
            NOON),
        told);
  }
}
