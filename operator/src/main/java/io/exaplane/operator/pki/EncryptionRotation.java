// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.EncryptionSpec;
import io.exaplane.api.v1alpha1.RotationStatus;
import io.exaplane.api.v1alpha1.RotationWish;
import io.exaplane.operator.rotation.Outside;
import io.exaplane.operator.rotation.RotatedKey;
import io.exaplane.operator.rotation.Rotation;
import io.exaplane.operator.rotation.RotationStep;
import io.exaplane.operator.rotation.RotationStep.Look;
import io.exaplane.operator.rotation.Stage;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What is asked of the key of encryption. Another list of resources is a rotation that nobody has
 * to complete, since nothing outside of the control plane has the key; where a person leads, that
 * one completes. Pure, but for the random bytes of a new key.
 */
final class EncryptionRotation {
  private final ControlPlane controlPlane;

  EncryptionRotation(ControlPlane controlPlane) {
    this.controlPlane = controlPlane;
  }

  /** A new key for what the spec asks for. */
  EncryptionKey make() {
    return EncryptionKey.make(EncryptionSpec.resources(controlPlane.getSpec().encryption()));
  }

  /**
   * How far the rotation of a key is. What was written counts only while every kube-apiserver uses
   * the new key, and no other template was there since: after {@code kubectl rollout undo}, pods
   * write by the old key again, also if the undo is taken back before anybody looks.
   *
   * @param asked of the field, or by a task; null for nothing
   * @param known whether status knows a key by its fingerprint
   * @param remaining the components that do not run with the present step yet
   */
  Rotation of(
      RotatedKey key,
      RotationWish asked,
      boolean settled,
      Predicate<String> known,
      List<String> remaining,
      Rewriting rewriting) {
    EncryptionKey current = EncryptionKey.current(key);
    boolean isUsed = key.stage() == Stage.ISSUING;
    Optional<String> servers = rewriting.servers().filter(_ -> isUsed);
    Optional<String> id = servers.map(by -> EncryptionKey.id(key, by));
    boolean isRecorded = id.isPresent() && id.equals(recordedRewrite());
    boolean waits = isUsed && !isRecorded;
    return new Rotation(
        Rotation.ENCRYPTION_KEY,
        key,
        new Look(
            wish(key, asked),
            settled,
            !current.encrypts() || known.test(current.sha256()),
            false,
            true,
            !waits),
        remaining,
        waits ? new Outside(rewriting.behind(key), "", false) : Outside.NONE,
        servers,
        id.filter(_ -> isRecorded || id.equals(rewriting.done())));
  }

  /**
   * Whether caches may be believed, which may be far behind: before the old key goes, the API
   * server is asked whether the servers are still those that the rotation has seen.
   *
   * @throws io.fabric8.kubernetes.client.KubernetesClientException if there is no answer
   */
  static boolean isStill(Rotation rotation, Rewriting rewriting) {
    boolean goes =
        rotation.key().stage() == Stage.ISSUING
            && RotationStep.next(rotation.key(), rotation.look(), Map::of, Instant.EPOCH)
                .isPresent();
    return !goes || rewriting.live().get().equals(rotation.servers());
  }

  private RotationWish wish(RotatedKey key, RotationWish asked) {
    EncryptionKey current = EncryptionKey.current(key);
    List<String> wanted =
        EncryptionSpec.resources(controlPlane.getSpec().encryption()).stream().sorted().toList();
    if (key.stage() == Stage.SINGLE) {
      return !wanted.equals(current.resources())
          ? RotationWish.Prepare
          : current.encrypts() ? asked : null;
    }
    boolean changes =
        EncryptionKey.other(key)
            .filter(other -> !other.resources().equals(current.resources()))
            .isPresent();
    return asked == null && changes ? RotationWish.Complete : asked;
  }

  /**
   * Whether the last step took a key away that status may still know, after all objects were
   * written without it. An earlier Secret that somebody restores has made no such step: objects may
   * need the key that this Secret lacks.
   */
  boolean hasEnded(RotatedKey key) {
    String before = EncryptionKey.id(key.step() - 1, EncryptionKey.current(key));
    return key.stage() == Stage.SINGLE
        && recordedRewrite()
            .filter(id -> id.equals(before) || id.startsWith(before + " "))
            .isPresent();
  }

  /** With what all objects were written again, as status tells it. */
  private Optional<String> recordedRewrite() {
    return Optional.ofNullable(controlPlane.getStatus())
        .map(ControlPlaneStatus::rotation)
        .map(RotationStatus::encryptionKey)
        .map(RotationStatus.Key::rewritten);
  }
}
