// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.TaskStep;
import io.exaplane.operator.task.condition.Progress;
import io.exaplane.operator.task.condition.TaskRules;
import io.exaplane.operator.task.observe.Look;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Line "Tasks", bad input: field, value, rule and next action; or why a task waits. */
class TaskRulesTest {
  private static final Instant NOON = Instant.parse("2026-11-27T12:00:00Z");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # task                                      | more spec of the control plane                | store's volume    | words of the refusal
          restart: {component: KubeAPIServer}         | ''                                            | PersistentVolume  | ''
          restart: {component: KubeScheduler}         | ', scheduling: {mode: Pool, poolRef: {name: p}}' | PersistentVolume | 'spec.restart.component KubeScheduler: SchedulerPool p places; set spec.restartedAt of the SchedulerPool'
          restart: {component: Store, store: default} | ''                                            | PersistentVolume  | ''
          restart: {component: Store, store: default} | ''                                            | EmptyDirLosesDataWithPod | 'spec.restart.store default: the store is Critical; create a ControlPlane'
          restart: {component: Store, store: pods}    | ''                                            | PersistentVolume  | 'spec.restart.store pods: is no store of ControlPlane demo; default, events; create a task with'
          rotate: {credential: CA, complete: Manual}  | ''                                            | PersistentVolume  | ''
          rotate: {credential: CA, complete: Manual}  | ', pki: {rotation: {ca: Prepare}}'            | PersistentVolume  | 'spec.rotate.credential CA; spec.pki.rotation.ca of ControlPlane demo is Prepare; remove the field'
          rotate: {credential: CA, complete: Manual}  | ', pki: {rotation: {serviceAccountKey: Prepare}}' | PersistentVolume | ''
          rotate: {credential: ServiceAccountKey}     | ', pki: {rotation: {serviceAccountKey: Complete}}' | PersistentVolume | 'spec.pki.rotation.serviceAccountKey of ControlPlane demo is Complete'
          rotate: {credential: EncryptionKey}         | ''                                            | PersistentVolume  | 'spec.rotate.credential EncryptionKey: ControlPlane demo encrypts nothing; add spec.encryption'
          rotate: {credential: EncryptionKey}         | ', encryption: {}'                            | PersistentVolume  | ''
          rotate: {credential: EncryptionKey}         | ', encryption: {}, pki: {rotation: {encryptionKey: Prepare}}' | PersistentVolume | 'spec.pki.rotation.encryptionKey of ControlPlane demo is Prepare'
          rotate: {credential: AdminKubeconfig}       | ', pki: {adminKubeconfigRevision: 999999}'    | PersistentVolume  | ''
          rotate: {credential: AdminKubeconfig}       | ', pki: {adminKubeconfigRevision: 1000000}'   | PersistentVolume  | 'highest value 1000000; create a task that rotates the CA'
          rotate: {credential: Leaves}                | ''                                            | PersistentVolume  | ''
          """)
  void eachRefusalNamesFieldValueRuleAndNextAction(
      String task, String spec, String volume, String words) {
    ControlPlane controlPlane =
        Tasks.controlPlane(
            spec, "{stores: {items: [{name: default, shard: d}, {name: events, shard: e}]}}");
    Optional<String> refusal =
        TaskRules.rejection(
            Tasks.task("t", 0, task),
            new Look(
                controlPlane,
                Optional.empty(),
                Optional.of(shard(volume)),
                Optional.empty(),
                Optional.empty()));
    if (words.isEmpty()) {
      assertThat(refusal).isEmpty();
    } else {
      assertThat(refusal.orElse("")).contains(words.split("; "));
    }
  }

  private static StoreShard shard(String volume) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: StoreShard
        metadata: {name: demo-default, namespace: ns}
        spec: {tls: {secretRef: {name: t}}, storage: {type: %s}}
        """
            .formatted(volume),
        StoreShard.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # more spec              | status of the control plane | words
          ''                       | {version: {current: 1.36.3}} | ''
          ''                       | {} | has not started all components
          ''                       | {version: {applied: 1.36.3}} | has not started all components
          ', pausedUntil: "true"'  | {version: {current: 1.36.3}} | Remove spec.pausedUntil
          ', pausedUntil: "2026-11-27T11:00:00Z"' | {version: {current: 1.36.3}} | ''
          ''                       | {version: {current: 1.36.3}, conditions: [{type: ConfigurationValid, status: "False"}]} | refuses the spec
          ''                       | {version: {current: 1.36.3}, rollout: {component: apiserver, stalledAt: "2026-11-27T11:00:00Z"}} | has stopped
          ''                       | {version: {current: 1.36.3}, rollout: {component: apiserver}} | ''
          ''                       | {version: {current: 1.36.3}, rollout: {component: apiserver, stalledAt: "2026-11-27T11:00:00Z", rolledBackTo: x}} | ''
          ''                       | {version: {current: 1.36.3}, rollout: {component: apiserver, stalledAt: "2026-11-27T11:00:00Z", rolledBackTo: x, others: [{component: scheduler, stalledAt: "2026-11-27T11:00:00Z"}]}} | component scheduler of ControlPlane demo has stopped
          ''                       | {version: {current: 1.36.3}, rollout: {component: apiserver, stalledAt: "2026-11-27T11:00:00Z"}} | open the gate ProgressDeadline
          """)
  void aTaskWaitsWhileNothingCouldBeDone(String spec, String status, String words) {
    Optional<String> holdUp =
        TaskRules.holdUp(
            Tasks.task("t", 0, "restart: {component: KubeAPIServer}"),
            Tasks.controlPlane(spec, status),
            NOON);
    if (words.isEmpty()) {
      assertThat(holdUp).isEmpty();
    } else {
      assertThat(holdUp.orElse("")).contains(words);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # task                              | more spec              | status of the control plane | words
          restart: {component: KubeAPIServer} | ''                     | {} | ''
          restart: {component: KubeAPIServer} | ', pausedUntil: "true"' | {} | Remove spec.pausedUntil
          rotate: {credential: Leaves}        | ', pausedUntil: "true"' | {} | Remove spec.pausedUntil
          restart: {component: KubeAPIServer} | ''                     | {conditions: [{type: ConfigurationValid, status: "False"}]} | Correct the spec
          restart: {component: KubeAPIServer} | ''                     | {rollout: {component: scheduler, stalledAt: "2026-11-27T11:00:00Z"}} | open the gate ProgressDeadline
          rotate: {credential: Leaves}        | ''                     | {rollout: {component: scheduler, stalledAt: "2026-11-27T11:00:00Z"}} | ''
          """)
  void aTaskThatRunsNamesWhatHoldsIt(String spec, String more, String status, String words) {
    Progress runs = Progress.running(TaskStep.ReplacePods, 25, "1 of 4 pods.");
    Optional<String> obstacle =
        TaskRules.obstacle(Tasks.running(spec, null), Tasks.controlPlane(more, status), NOON);
    assertThat(runs.held(obstacle).message()).startsWith("1 of 4 pods.").contains(words);
    assertThat(runs.held(obstacle).held()).isEqualTo(!words.isEmpty());
    Progress ended = Progress.succeeded(TaskStep.ReplacePods, "All.");
    assertThat(ended.held(obstacle)).isEqualTo(ended);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # task                                                | more spec | rotation            | waits
          rotate: {credential: CA, complete: Automatic}         | ''        | ca                  | true
          rotate: {credential: CA, complete: Automatic}         | ''        | serviceAccountKey   | false
          rotate: {credential: ServiceAccountKey}               | ''        | serviceAccountKey   | true
          rotate: {credential: Leaves}                          | ''        | ca                  | false
          rotate: {credential: CA, complete: Automatic}         | ', pki: {rotation: {ca: Complete}}' | ca | false
          restart: {component: KubeAPIServer}                   | ''        | ca                  | false
          """)
  void aRotationThatCompletesEndsBeforeAnotherOneBegins(
      String spec, String more, String rotation, boolean waits) {
    for (String phase : List.of("Preparing", "Prepared", "Completing", "Completed")) {
      Optional<String> holdUp =
          TaskRules.holdUp(
              Tasks.task("t", 0, spec),
              Tasks.controlPlane(
                  more,
                  "{version: {current: 1.36.3}, pki: {rotation: {%s: {phase: %s, since: '2026-11-27T12:00:00Z'}}}}"
                      .formatted(rotation, phase)),
              NOON);
      assertThat(holdUp.isPresent()).as(phase).isEqualTo(waits && phase.equals("Completing"));
      assertThat(holdUp.orElse("ends by itself. No action is needed."))
          .endsWith("ends by itself. No action is needed.");
    }
  }

  @Test
  void aCopyOfATaskThatBeganIsNotDoneAgain() {
    ControlPlaneTask task = Tasks.task("t", 0, "restart: {component: KubeAPIServer}");
    assertThat(Begun.copy(task)).isEmpty();
    task.getMetadata().setAnnotations(Map.of(Begun.ANNOTATION, "uid-t"));
    assertThat(Begun.copy(task)).as("the operator died between two writes").isEmpty();
    task.getMetadata().setAnnotations(Map.of(Begun.ANNOTATION, "uid-of-before"));
    assertThat(Begun.copy(task).orElse(""))
        .startsWith("metadata.annotations exaplane.io/begun-as uid-of-before: ")
        .endsWith("create a task without the annotation to do the same again.");
  }
}
