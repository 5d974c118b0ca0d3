// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.RotationWish;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.condition.RotationCompleteCondition;
import io.exaplane.operator.rotation.RotatedKey;
import io.exaplane.operator.rotation.Rotation;
import io.exaplane.operator.rotation.RotationStep;
import io.exaplane.operator.rotation.Stage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Undone rollouts of kube-apiserver while the key of encryption is rotated: the old key never goes
 * while an object needs it, and it goes at last. Objects are names with the key of their content.
 */
class EncryptionUndoTest {
  private static final int ENOUGH = 8;

  private final EncryptionKey old = EncryptionKey.make(List.of("secrets"));
  private final EncryptionKey fresh = EncryptionKey.make(List.of("secrets"));

  /** What is left of one run when the next one begins. */
  private final class Plane {
    private final ControlPlane owner =
        Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1, encryption: {}}");
    private final Map<String, String> objects =
        new HashMap<>(Map.of("a", old.name(), "b", old.name()));
    private RotatedKey key =
        new RotatedKey(Stage.ISSUING, 2, Instant.EPOCH, fresh.files(), old.files());
    private int revision = 7;
    private boolean isUndone;
    private boolean isPaused;

    /** What the operator's caches have. */
    private int seenRevision = revision;

    private boolean isSeenUndone;
    private boolean isBehind;
    private RotationWish wish = RotationWish.Prepare;

    /** What the operator has written, as long as it runs. */
    private Optional<String> memory = Optional.empty();

    void happens(String event) {
      switch (event) {
        case "look" -> look();
        case "undo" -> {
          isUndone = true;
          revision++;
          objects.put("a", old.name());
        }
        case "redo" -> {
          isUndone = false;
          revision++;
        }
        case "pause" -> isPaused = true;
        case "resume" -> isPaused = false;
        case "lag" -> isBehind = true;
        case "catch" -> isBehind = false;
        case "restart" -> memory = Optional.empty();
        case "complete" -> wish = RotationWish.Complete;
        default -> throw new IllegalArgumentException(event);
      }
    }

    /** One pass. The operator writes beside it, and knows that at its next one. */
    private void look() {
      if (isPaused) {
        return;
      }
      if (!isBehind) {
        seenRevision = revision;
        isSeenUndone = isUndone;
      }
      Optional<String> servers = servers(seenRevision, isSeenUndone);
      Rewriting rewriting =
          new Rewriting(Optional.empty(), memory, servers, () -> servers(revision, isUndone));
      Rotation rotation =
          new EncryptionRotation(owner)
              .of(
                  key,
                  wish,
                  !isSeenUndone,
                  _ -> true,
                  isSeenUndone ? List.of("demo-apiserver") : List.of(),
                  rewriting);
      Optional.of(key)
          .filter(_ -> EncryptionRotation.isStill(rotation, rewriting))
          .flatMap(now -> RotationStep.next(now, rotation.look(), Map::of, Instant.EPOCH))
          .ifPresent(
              next -> {
                assertThat(objects.values()).as("the old key goes").containsOnly(fresh.name());
                key = next;
              });
      tell(rotation);
      if (rotation.rewrites()) {
        objects.replaceAll((_, _) -> isUndone ? old.name() : fresh.name());
        memory = Optional.of(EncryptionKey.id(rotation.key(), servers.orElseThrow()));
      } else {
        memory = Optional.empty();
      }
    }

    private static Optional<String> servers(int revision, boolean isUndone) {
      return Optional.of("uid/" + revision).filter(_ -> !isUndone);
    }

    private void tell(Rotation rotation) {
      owner.setStatus(
          new ControlPlaneStatus(
                  null, null, null, null, null, null, null, null, null, null, null, null, null)
              .withRotation(
                  RotationCompleteCondition.status(
                          List.of(rotation),
                          owner.getStatus() == null ? null : owner.getStatus().rotation(),
                          Instant.EPOCH)
                      .orElse(null)));
    }

    boolean isRecorded() {
      return owner.getStatus().rotation().encryptionKey().rewritten() != null;
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "complete",
        "undo look redo",
        "undo redo",
        "undo redo look undo look redo",
        "undo redo undo redo",
        "undo look look redo look undo redo",
        "pause undo redo resume",
        "pause undo look redo look resume",
        "pause undo resume look redo",
        "pause undo redo resume look pause undo redo resume",
        "pause complete undo redo resume",
        "complete undo redo look",
        "undo complete look redo look",
        "lag complete undo redo look look catch",
        "lag undo complete look redo look catch",
        "lag undo look redo catch complete",
      })
  void theOldKeyGoesOnlyWhenNoObjectNeedsIt(String events) {
    List<String> all = List.of(events.split(" "));
    for (int restart = 0; restart <= all.size(); restart++) {
      List<String> row = new ArrayList<>(all);
      row.add(restart, "restart");
      run(row);
    }
    run(all);
  }

  private void run(List<String> events) {
    Plane plane = new Plane();
    plane.happens("look");
    plane.happens("look");
    assertThat(plane.isRecorded()).isTrue();
    events.forEach(plane::happens);
    plane.happens("catch");
    plane.happens("complete");
    for (int look = 0; look < ENOUGH; look++) {
      plane.happens("look");
    }
    assertThat(plane.key.stage()).as("%s: it goes at last", events).isEqualTo(Stage.SINGLE);
    assertThat(plane.objects.values()).as("%s", events).containsOnly(fresh.name());
  }
}
