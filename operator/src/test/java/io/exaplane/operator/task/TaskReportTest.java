// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.ControlPlaneTaskStatus;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.TaskCondition;
import io.exaplane.api.v1alpha1.TaskState;
import io.exaplane.api.v1alpha1.TaskStep;
import io.exaplane.operator.outcome.Refusal;
import io.exaplane.operator.status.Kstatus;
import io.exaplane.operator.task.condition.Progress;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Line "Tasks": every state, with its conditions, Events and what tools make of it. */
class TaskReportTest {
  private Instant now = Instant.parse("2026-11-27T12:00:00Z");
  private final ControlPlaneTask task =
      Tasks.task("t", 0, "restart: {component: Store, store: events}");

  private TaskReport report() {
    return new TaskReport(task, Clock.fixed(now, ZoneOffset.UTC));
  }

  private List<String> write(TaskReport report, ControlPlaneTaskStatus status) {
    task.setStatus(status);
    return report.changes().stream().map(Condition::reason).toList();
  }

  /** Line 31: who keeps a task from going on is named, in any of its states. */
  @Test
  void aPassThatFailedIsTold() {
    Refusal refusal = new Refusal("Deployment d", "read", "RBAC", "no", "Allow that.", false);
    String text = "RBAC refuses to read Deployment d: no. Allow that.";
    TaskReport report = report();
    write(report, report.failed(refusal));
    is(TaskState.Pending, Kstatus.InProgress);
    assertThat(task.getStatus().message()).isEqualTo(text);
    report = report();
    write(report, report.started(Tasks.controlPlane("{}")));
    report = report();
    write(report, report.of(Progress.running(TaskStep.ReplacePods, 25, "1 of 4.")));
    ControlPlaneTaskStatus before = task.getStatus();
    report = report();
    ControlPlaneTaskStatus failed = report.failed(refusal);
    write(report, failed);
    is(TaskState.Running, Kstatus.InProgress);
    assertThat(failed.message()).isEqualTo(text);
    assertThat(failed.conditions())
        .filteredOn(condition -> condition.type().equals(TaskCondition.Complete.name()))
        .singleElement()
        .satisfies(condition -> assertThat(condition.message()).isEqualTo(text));
    assertThat(failed.step()).isEqualTo(before.step());
    assertThat(failed.progressPercent()).isEqualTo(25);
    assertThat(failed.startedAt()).isEqualTo(before.startedAt());
    now = now.plusSeconds(60);
    assertThat(report().failed(refusal)).as("again").isEqualTo(failed);
  }

  /** A webhook that counts would be a write for each attempt. */
  @Test
  void numbersOfWhoRefusesWriteNothing() {
    for (int attempt = 1; attempt < 4; attempt++) {
      TaskReport report = report();
      ControlPlaneTaskStatus status =
          report.failed(
              new Refusal("the task", "change", "Webhook w", "attempt " + attempt, "Ask.", false));
      if (attempt > 2) {
        assertThat(status).isEqualTo(task.getStatus());
      }
      write(report, status);
    }
    assertThat(task.getStatus().message()).contains("attempt …");
  }

  @Test
  void aTaskFromItsBeginToItsEnd() {
    TaskReport report = report();
    assertThat(
            write(report, report.pending(Reason.TaskQueued, "Another one. No action is needed.")))
        .containsExactly("TaskQueued");
    is(TaskState.Pending, Kstatus.InProgress);
    report = report();
    assertThat(report.pending(Reason.TaskQueued, "Another one. No action is needed."))
        .as("a second look writes nothing")
        .isEqualTo(task.getStatus());
    report = report();
    assertThat(write(report, report.started(Tasks.controlPlane("{}"))))
        .containsExactly("TaskRunning");
    is(TaskState.Running, Kstatus.InProgress);
    assertThat(task.getStatus().task()).isEqualTo("restart Store events");
    now = now.plusSeconds(30);
    report = report();
    write(report, report.of(Progress.running(TaskStep.ReplacePods, 25, "1 of 4.")));
    assertThat(task.getStatus().remainingSeconds()).as("30 s for a quarter").isEqualTo(90);
    now = now.plusSeconds(30);
    report = report();
    assertThat(report.of(Progress.running(TaskStep.ReplacePods, 25, "1 of 4.")))
        .as("time alone writes nothing")
        .isEqualTo(task.getStatus());
    assertThat(report.of(Progress.running(TaskStep.ReplacePods, 0, "0 of 4.")).progressPercent())
        .as("what was told is not taken back")
        .isEqualTo(25);
    report = report();
    Progress held =
        Progress.running(TaskStep.ReplacePods, 25, "1 of 4.").held(Optional.of("Remove x."));
    assertThat(report.of(held).conditions())
        .as("the next action alone")
        .extracting(Condition::message)
        .contains("1 of 4. Remove x.");
    report = report();
    assertThat(write(report, report.of(Progress.succeeded(TaskStep.ReplacePods, "All done."))))
        .containsExactly("AsExpected");
    is(TaskState.Succeeded, Kstatus.Current);
    assertThat(task.getStatus().finishedAt()).isEqualTo("2026-11-27T12:01:00Z");
    assertThat(task.getStatus().progressPercent()).isEqualTo(100);
  }

  /** Issue 28, line 34: a task whose control plane never starts would wait without a word. */
  @Test
  void aTaskThatWaitsForLongSaysWhereToLook() {
    String waits = "ControlPlane demo has not started all components yet.";
    TaskReport report = report();
    write(report, report.pending(Reason.TaskQueued, waits + " No action is needed."));
    now = now.plusSeconds(119);
    report = report();
    assertThat(report.pending(Reason.TaskQueued, waits + " No action is needed."))
        .isEqualTo(task.getStatus());
    now = now.plusSeconds(1);
    report = report();
    write(report, report.pending(Reason.TaskQueued, waits + " No action is needed."));
    String looks =
        " This has taken more than 2 minutes: see the conditions in 'kubectl -n ns describe cpl"
            + " demo', and the other tasks in 'kubectl -n ns get cpltask'";
    assertThat(task.getStatus().message()).isEqualTo(waits + looks);
    assertThat(complete(task.getStatus())).isEqualTo(waits + looks);
    is(TaskState.Pending, Kstatus.InProgress);
    now = now.plusSeconds(600);
    report = report();
    assertThat(report.pending(Reason.TaskQueued, waits + " No action is needed."))
        .as("told once")
        .isEqualTo(task.getStatus());
    report = report();
    write(report, report.started(Tasks.controlPlane("{}")));
    Progress turn = Progress.running(TaskStep.WaitForTurn, 0, "Nothing is replaced before.");
    report = report();
    write(report, report.of(turn));
    assertThat(complete(task.getStatus())).endsWith(" No action is needed.");
    now = now.plusSeconds(120);
    assertThat(complete(report().of(turn))).isEqualTo("Nothing is replaced before." + looks);
    report = report();
    write(report, report.of(Progress.running(TaskStep.ReplacePods, 25, "1 of 4.")));
    now = now.plusSeconds(120);
    assertThat(complete(report().of(Progress.running(TaskStep.ReplacePods, 25, "1 of 4."))))
        .as("pods have the deadline of the rollout")
        .isEqualTo("1 of 4. No action is needed.");
  }

  private static String complete(ControlPlaneTaskStatus status) {
    return status.conditions().stream()
        .filter(condition -> condition.type().equals(TaskCondition.Complete.name()))
        .map(Condition::message)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aTaskThatEndsWithoutSuccessWarns() {
    TaskReport report = report();
    assertThat(write(report, report.rejected("spec.restart.store x: is none; create another.")))
        .containsExactly("TaskRejected");
    is(TaskState.Rejected, Kstatus.Failed);
    task.setStatus(null);
    report = report();
    write(report, report.started(Tasks.controlPlane("{}")));
    report = report();
    assertThat(write(report, report.of(Progress.failed(TaskStep.ReplacePods, 25, "Repair it."))))
        .containsExactly("TaskFailed");
    is(TaskState.Failed, Kstatus.Failed);
    task.setStatus(null);
    report = report();
    write(report, report.pending(Reason.WaitingForControlPlane, "Create the ControlPlane."));
    is(TaskState.Pending, Kstatus.InProgress);
  }

  private void is(TaskState state, Kstatus verdict) {
    ControlPlaneTaskStatus status = task.getStatus();
    assertThat(status.state()).isEqualTo(state);
    assertThat(Kstatus.of(false, 1, status.observedGeneration(), status.conditions()))
        .isEqualTo(verdict);
    assertThat(status.conditions())
        .extracting(Condition::type)
        .as("every condition type")
        .containsExactlyInAnyOrderElementsOf(
            EnumSet.allOf(TaskCondition.class).stream().map(Enum::name).toList());
  }

  @Test
  void aLookThatIsOfNoUseSaysWhatATaskOfTheAdministratorsSets() {
    ControlPlaneTask admin = Tasks.task("t", 0, "rotate: {credential: AdminKubeconfig}");
    TaskReport report = new TaskReport(admin, Clock.fixed(now, ZoneOffset.UTC));
    assertThat(
            Optional.ofNullable(
                report
                    .started(Tasks.controlPlane(", pki: {adminKubeconfigRevision: 6}", "{}"))
                    .adminKubeconfigRevision()))
        .contains(7);
  }
}
