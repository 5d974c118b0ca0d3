// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task.condition;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Certificate;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.PkiSpec;
import io.exaplane.api.v1alpha1.RotationPhase;
import io.exaplane.api.v1alpha1.RotationStatus;
import io.exaplane.api.v1alpha1.RotationWish;
import io.exaplane.api.v1alpha1.TaskCredential;
import io.exaplane.api.v1alpha1.TaskRotateSpec;
import io.exaplane.api.v1alpha1.TaskState;
import io.exaplane.api.v1alpha1.TaskStep;
import io.exaplane.operator.pki.ControlPlanePki;
import io.exaplane.operator.rotation.Rotation;
import io.exaplane.operator.task.observe.Look;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** How far the rotation of a credential is: by phase, or by certificate. Pure. */
public final class RotateProgress {
  private static final int PREPARING = 10;
  private static final int PREPARED = 50;
  private static final int COMPLETING = 60;
  private static final int ALL = 100;

  private RotateProgress() {}

  /** Of a task that replaces a credential. */
  public static Progress of(ControlPlaneTask task, Look look, Instant now) {
    return switch (task.getSpec().rotate().credential()) {
      case CA, ServiceAccountKey, EncryptionKey -> key(task, look.controlPlane(), now);
      case AdminKubeconfig -> administrator(task, look);
      case Leaves -> leaves(task, look.controlPlane());
    };
  }

  /** The field of {@code spec.pki.rotation} that a task goes in place of. */
  public static String field(TaskCredential credential) {
    return switch (credential) {
      case CA -> Rotation.CA;
      case EncryptionKey -> Rotation.ENCRYPTION_KEY;
      default -> Rotation.SERVICE_ACCOUNT_KEY;
    };
  }

  /** What the spec itself asks of that rotation; null for nothing. */
  public static RotationWish wish(ControlPlane controlPlane, TaskCredential credential) {
    return PkiSpec.rotation(controlPlane.getSpec().pki()).wish(credential);
  }

  private static Progress key(ControlPlaneTask task, ControlPlane controlPlane, Instant now) {
    TaskRotateSpec rotate = task.getSpec().rotate();
    String field = field(rotate.credential());
    TaskStep step = task.getStatus().step() == null ? TaskStep.Prepare : task.getStatus().step();
    int percent = Optional.ofNullable(task.getStatus().progressPercent()).orElse(0);
    RotationWish wish = wish(controlPlane, rotate.credential());
    if (wish != null) {
      return Progress.failed(
          step,
          percent,
          "spec.pki.rotation.%1$s of ControlPlane %2$s was set to %3$s while this task ran, and the field comes first. Continue with the field: set Complete in the phase Prepared, and remove the field in the phase Completed."
              .formatted(field, controlPlane.getMetadata().getName(), wish));
    }
    Optional<RotationStatus.Key> told = told(controlPlane, rotate.credential());
    RotationPhase phase = told.map(RotationStatus.Key::phase).orElse(null);
    if (step == TaskStep.Complete) {
      return phase == RotationPhase.Completed
          ? Progress.succeeded(
              TaskStep.Complete,
              rotate.credential() == TaskCredential.EncryptionKey
                  ? "All encrypted objects are written again, and the old key is gone. Back up the Secret %s-encryption again."
                      .formatted(controlPlane.getMetadata().getName())
                  : "The old key is trusted nowhere any more." + outside(rotate))
          : completing(rotate, controlPlane, told);
    }
    if (phase != RotationPhase.Prepared) {
      return Progress.running(
          TaskStep.Prepare, PREPARING, "All components take the new key into use." + to(told));
    }
    return prepared(rotate, field, told.get(), now);
  }

  /** The control plane keeps the old CA while nodes would lose the API, until somebody acts. */
  private static Progress completing(
      TaskRotateSpec rotate, ControlPlane controlPlane, Optional<RotationStatus.Key> told) {
    Optional<List<String>> behind =
        told.filter(key -> rotate.credential() == TaskCredential.CA)
            .filter(key -> key.phase() == RotationPhase.Prepared)
            .map(RotationStatus.Key::remaining);
    return behind
        .map(
            nodes ->
                Progress.running(TaskStep.Complete, COMPLETING, "The old key stays trusted.")
                    .held(
                        Optional.of(
                            "These nodes of NodePools do not follow: %s. Repair the nodes, or see the condition RotationComplete of ControlPlane %s for the way to continue without them."
                                .formatted(
                                    String.join(", ", nodes),
                                    controlPlane.getMetadata().getName()))))
        .orElseGet(
            () ->
                Progress.running(
                    TaskStep.Complete, COMPLETING, "The old key is taken out of use." + to(told)));
  }

  private static Progress prepared(
      TaskRotateSpec rotate, String field, RotationStatus.Key told, Instant now) {
    Instant since = Instant.parse(told.since());
    if (!rotate.completesByItself()) {
      return Progress.succeeded(
          TaskStep.TrustBoth,
          "The new key is in use, and the old one is still trusted. To remove the old key, set spec.pki.rotation.%s of the ControlPlane to Complete, or create a task with complete: Automatic; see docs/certificates.md."
              .formatted(field));
    }
    Instant end = since.plus(rotate.bothTrusted());
    if (now.isBefore(end)) {
      return new Progress(
          TaskState.Running,
          TaskStep.TrustBoth,
          PREPARED,
          Optional.of(Duration.between(since, end).toSeconds()),
          "Both keys are trusted until %s. %s before that; to stop there, delete this task.%s%s"
              .formatted(
                  end.truncatedTo(ChronoUnit.SECONDS),
                  todo(rotate),
                  ends(rotate, since),
                  to(Optional.of(told))),
          false);
    }
    return Progress.running(TaskStep.Complete, COMPLETING, "The old key is taken out of use.");
  }

  private static String todo(TaskRotateSpec rotate) {
    return switch (rotate.credential()) {
      case CA ->
          "Nodes of NodePools follow by themselves. Give the bundle of both CAs to other nodes and to kubeconfigs of your own, and renew the certificates of those nodes";
      case EncryptionKey -> "Back up the Secret of the key again";
      default -> "Create Secrets with tokens of service accounts again";
    };
  }

  /** Nobody but the node has its certificate, and no API tells who showed which. */
  private static String ends(TaskRotateSpec rotate, Instant since) {
    return rotate.credential() == TaskCredential.CA
        ? " The operator does not see the certificates of kubelets and persons outside of NodePools: the step Complete ends each one that was issued before %s; see docs/certificates.md."
            .formatted(since)
        : "";
  }

  private static String outside(TaskRotateSpec rotate) {
    return rotate.credential() == TaskCredential.CA
        ? " Take the old CA out of nodes outside of NodePools and of kubeconfigs; see docs/certificates.md."
        : "";
  }

  private static String to(Optional<RotationStatus.Key> told) {
    List<String> remaining = told.map(RotationStatus.Key::remaining).orElse(null);
    return remaining == null ? "" : " Still to come: %s.".formatted(String.join(", ", remaining));
  }

  /** What a control plane tells of that rotation. */
  public static Optional<RotationStatus.Key> told(
      ControlPlane controlPlane, TaskCredential credential) {
    return Optional.ofNullable(controlPlane.getStatus())
        .map(ControlPlaneStatus::rotation)
        .map(rotation -> rotation.key(credential));
  }

  private static Progress administrator(ControlPlaneTask task, Look look) {
    int number = task.getStatus().adminKubeconfigRevision();
    String group = ControlPlanePki.administrators(new PkiSpec(null, null, number));
    boolean asked = PkiSpec.adminKubeconfigRevision(look.controlPlane().getSpec().pki()) >= number;
    boolean issued =
        asked
            && certificates(look.controlPlane()).stream()
                .filter(certificate -> certificate.name().startsWith("admin-kubeconfig/"))
                .anyMatch(certificate -> isNew(certificate, task));
    boolean bound = look.administrators().filter(group::equals).isPresent();
    if (!issued) {
      return Progress.running(
          TaskStep.Issue,
          0,
          (bound
                  ? "The group %s has the administrator's rights, and its kubeconfig is issued next; see CertificatesValid of the ControlPlane."
                  : "The group %s gets the rights when stores serve and the published endpoint answers, and its kubeconfig is issued after that; earlier kubeconfigs keep theirs until then.")
              .formatted(group));
    }
    if (!bound) {
      return Progress.running(
          TaskStep.BindGroup,
          PREPARED,
          "The group %s gets the rights when stores serve and the published endpoint answers; earlier kubeconfigs keep theirs until then."
              .formatted(group));
    }
    return Progress.succeeded(
        TaskStep.BindGroup,
        "Only the group %s has the administrator's rights. Read the kubeconfig again from its Secret, and write spec.pki.adminKubeconfigRevision: %d into your manifests."
            .formatted(group, number));
  }

  private static Progress leaves(ControlPlaneTask task, ControlPlane controlPlane) {
    List<Certificate> leaves =
        certificates(controlPlane).stream()
            .filter(certificate -> certificate.renewAfter() != null)
            .toList();
    int issued = (int) leaves.stream().filter(leaf -> isNew(leaf, task)).count();
    String message = "%d of %d certificates are issued again.".formatted(issued, leaves.size());
    return !leaves.isEmpty() && issued == leaves.size()
        ? Progress.succeeded(TaskStep.Issue, message + " Components load them within some minutes.")
        : Progress.running(
            TaskStep.Issue,
            leaves.isEmpty() ? 0 : Math.min(ALL - 1, ALL * issued / leaves.size()),
            message);
  }

  private static boolean isNew(Certificate certificate, ControlPlaneTask task) {
    Instant began = Instant.parse(task.getStatus().startedAt()).truncatedTo(ChronoUnit.SECONDS);
    return certificate.issuedAt() != null && !Instant.parse(certificate.issuedAt()).isBefore(began);
  }

  private static List<Certificate> certificates(ControlPlane controlPlane) {
    return Optional.ofNullable(controlPlane.getStatus())
        .map(ControlPlaneStatus::certificates)
        .orElse(List.of());
  }
}
