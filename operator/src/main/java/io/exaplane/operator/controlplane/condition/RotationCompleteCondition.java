// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.RotationPhase;
import io.exaplane.api.v1alpha1.RotationStatus;
import io.exaplane.api.v1alpha1.RotationWish;
import io.exaplane.operator.rotation.Rotation;
import io.exaplane.operator.rotation.RotationStep;
import io.exaplane.operator.rotation.Stage;
import io.exaplane.operator.status.Patience;
import io.exaplane.operator.status.Verdict;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether a rotation of a long-lived key is under way, and whose turn it is. Pure. */
public final class RotationCompleteCondition {
  private static final String PAGE = "docs/certificates.md";
  private static final String CLIENT_AUTHORITIES =
      "ConfigMap kube-system/extension-apiserver-authentication of the hosted cluster";

  private RotationCompleteCondition() {}

  /** What is said of one key, in the order of urgency. */
  private record Part(int urgency, Reason reason, String text) {}

  /**
   * From how far rotations are.
   *
   * @param status what is told of them now
   * @param leaders names of the tasks that lead them, by field; a field of the spec leads the
   *     others
   */
  public static Verdict of(
      List<Rotation> rotations, RotationStatus status, Map<String, String> leaders) {
    List<Part> parts = new ArrayList<>();
    List<String> completed = new ArrayList<>();
    for (Rotation rotation : rotations) {
      Optional<RotationStatus.Key> told = Optional.ofNullable(of(status, rotation.field()));
      RotationPhase phase = told.map(RotationStatus.Key::phase).orElse(null);
      if (phase == RotationPhase.Completed) {
        completed.add(rotation.field());
      } else if (phase != null) {
        parts.add(part(rotation, told.get(), Optional.ofNullable(leaders.get(rotation.field()))));
      } else if (rotation.look().wish() == RotationWish.Complete) {
        parts.add(
            new Part(
                0,
                Reason.RotationNotPrepared,
                "spec.pki.rotation.%1$s: Complete, but no rotation is prepared. Remove the field; then set Prepare for a rotation."
                    .formatted(rotation.field())));
      }
    }
    if (parts.isEmpty()) {
      return Verdict.yes(
          Reason.AsExpected,
          completed.isEmpty()
              ? "No rotation is under way."
              : "No rotation is under way. Completed: %s.".formatted(String.join(", ", completed)));
    }
    parts.sort(Comparator.comparingInt(Part::urgency));
    return Verdict.no(
        parts.getFirst().reason(), String.join(" ", parts.stream().map(Part::text).toList()));
  }

  private static Part part(Rotation rotation, RotationStatus.Key told, Optional<String> leader) {
    RotationPhase phase = told.phase();
    String field = "spec.pki.rotation." + rotation.field();
    boolean begins =
        rotation.field().equals(Rotation.ENCRYPTION_KEY) && phase == RotationPhase.Preparing;
    if (rotation.isHeld() && !begins) {
      return new Part(1, Reason.RotationHeld, field + ": " + held(rotation));
    }
    if (phase == RotationPhase.Prepared) {
      return new Part(
          2, Reason.RotationPrepared, field + ": " + prepared(rotation, told.since(), leader));
    }
    boolean completes = phase == RotationPhase.Completing;
    String doing =
        switch (rotation.key().stage()) {
          case TRUSTED ->
              rotation.field().equals(Rotation.ENCRYPTION_KEY)
                  ? "kube-apiservers learn to read by a second key"
                  : "components take a second key as trusted";
          case ISSUING ->
              completes ? "the old key is about to go" : "components take the new key into use";
          case SERVING -> "servers take certificates of the new key";
          case SINGLE ->
              completes ? "components stop trusting the old key" : "the rotation is about to begin";
        };
    List<String> remaining = remaining(rotation);
    String waiting =
        remaining.isEmpty() ? "" : " Still to come: %s.".formatted(String.join(", ", remaining));
    return new Part(
        1,
        completes ? Reason.RotationCompleting : Reason.RotationPreparing,
        field + ": " + doing + "." + waiting + Patience.NO_ACTION);
  }

  private static String held(Rotation rotation) {
    if (rotation.field().equals(Rotation.ENCRYPTION_KEY)) {
      return "the operator writes all encrypted objects again, and the old key stays until that is done. Still to come: %s.%s"
          .formatted(String.join(", ", behind(rotation)), Patience.NO_ACTION);
    }
    return "Complete waits for nodes that would lose the API: %s. See status.authorities of each NodePool, and %s#nodes-of-nodepools. To continue without these nodes, set the annotation %s=%s on the ControlPlane."
        .formatted(
            String.join(", ", rotation.outside().behind()),
            PAGE,
            Names.ROTATION_OVERRIDE,
            rotation.outside().override());
  }

  /** Objects are written only when every kube-apiserver uses the new key. */
  private static List<String> behind(Rotation rotation) {
    List<String> behind = new ArrayList<>(rotation.remaining());
    behind.addAll(rotation.outside().behind());
    return behind;
  }

  private static String prepared(Rotation rotation, String since, Optional<String> leader) {
    if (rotation.field().equals(Rotation.ENCRYPTION_KEY)) {
      return "the new key encrypts, and the old one can still be read. %s %s See %s."
          .formatted(
              rotation.outside().behind().isEmpty()
                  ? "All encrypted objects are written again."
                  : "The operator writes all encrypted objects again; still to come: %s."
                      .formatted(String.join(", ", rotation.outside().behind())),
              next(leader),
              PAGE);
    }
    String todo =
        rotation.field().equals(Rotation.CA)
            ? "Nodes of NodePools follow by themselves%s. Give the bundle of both CAs to other nodes and to kubeconfigs of your own, and renew the certificates of those nodes. The operator does not see the certificates of kubelets and persons outside of NodePools: Complete ends each one that was issued before %s. Check the issuer on those nodes"
                .formatted(
                    rotation.outside().behind().isEmpty()
                        ? ""
                        : "; still to come: " + String.join(", ", rotation.outside().behind()),
                    since)
            : "Wait an hour, so that kubelets renew the tokens of pods, and create Secrets with tokens again";
    return "the new key is in use, and the old one is still trusted. %s; see %s. %s"
        .formatted(todo, PAGE, next(leader));
  }

  private static String next(Optional<String> leader) {
    return leader
        .map(
            task ->
                "ControlPlaneTask %s leads this rotation, and its message says when the old key goes. No action is needed on the field."
                    .formatted(task))
        .orElse("Then set the field to Complete.");
  }

  private static RotationStatus.Key of(RotationStatus status, String field) {
    if (status == null) {
      return null;
    }
    return switch (field) {
      case Rotation.CA -> status.ca();
      case Rotation.SERVICE_ACCOUNT_KEY -> status.serviceAccountKey();
      default -> status.encryptionKey();
    };
  }

  /**
   * What status tells of rotations; empty when nobody looked.
   *
   * @param before what it told before
   */
  public static Optional<RotationStatus> status(
      List<Rotation> rotations, RotationStatus before, Instant now) {
    if (rotations.isEmpty()) {
      return Optional.ofNullable(before);
    }
    Map<String, RotationStatus.Key> keys = new HashMap<>();
    for (Rotation rotation : rotations) {
      keys.put(rotation.field(), key(rotation, of(before, rotation.field()), now));
    }
    RotationStatus told =
        new RotationStatus(
            keys.get(Rotation.CA),
            keys.get(Rotation.SERVICE_ACCOUNT_KEY),
            keys.get(Rotation.ENCRYPTION_KEY));
    return told.equals(new RotationStatus(null, null)) ? Optional.empty() : Optional.of(told);
  }

  private static RotationStatus.Key key(Rotation rotation, RotationStatus.Key before, Instant now) {
    RotationPhase phase =
        RotationStep.phase(rotation.key(), rotation.look(), before == null ? null : before.phase())
            .orElse(null);
    if (phase == null) {
      return null;
    }
    String since =
        before != null && before.phase() == phase
            ? before.since()
            : now.truncatedTo(ChronoUnit.SECONDS).toString();
    boolean moves = phase == RotationPhase.Preparing || phase == RotationPhase.Completing;
    boolean isPrepared = phase == RotationPhase.Prepared;
    List<String> remaining = isPrepared ? rotation.outside().behind() : remaining(rotation);
    return new RotationStatus.Key(
        phase,
        since,
        (moves || isPrepared) && !remaining.isEmpty() ? remaining : null,
        rotation.rewritten().orElse(null));
  }

  /** What is still to come: at last, what the hosted cluster lists for aggregated APIs. */
  private static List<String> remaining(Rotation rotation) {
    boolean isLast =
        rotation.key().stage() == Stage.SINGLE
            && rotation.key().step() > 0
            && rotation.look().wish() != RotationWish.Prepare;
    return isLast && rotation.remaining().isEmpty() && !rotation.look().forgotten()
        ? List.of(CLIENT_AUTHORITIES)
        : rotation.remaining();
  }
}
