// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.EncryptionSpec;
import io.exaplane.api.v1alpha1.RotationStatus;
import io.exaplane.api.v1alpha1.RotationWish;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.rotation.Outside;
import io.exaplane.operator.rotation.RotatedKey;
import io.exaplane.operator.rotation.Rotation;
import io.exaplane.operator.rotation.RotationStep.Look;
import io.exaplane.operator.rotation.Stage;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What is asked of the key of encryption. Another list of resources is a rotation that nobody has
 * to complete, since nothing outside of the control plane has the key; where a person leads, that
 * one completes. Pure, but for the random bytes of a new key.
 */
final class EncryptionRotation {
  private final ControlPlane controlPlane;
  private final String apiServer;

  EncryptionRotation(ControlPlane controlPlane) {
    this.controlPlane = controlPlane;
    this.apiServer = new ControlPlaneNames(controlPlane).component(ControlPlaneNames.API_SERVER);
  }

  /** A new key for what the spec asks for. */
  EncryptionKey make() {
    return EncryptionKey.make(EncryptionSpec.resources(controlPlane.getSpec().encryption()));
  }

  /**
   * How far the rotation of a key is. What was written counts only while every kube-apiserver uses
   * the new key: after {@code kubectl rollout undo}, pods write by the old key again.
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
    String id = EncryptionKey.id(key);
    boolean isUsed = key.stage() == Stage.ISSUING;
    boolean isUsedByAll = isUsed && !remaining.contains(apiServer);
    boolean isRecorded = isUsedByAll && recordedRewrite().filter(id::equals).isPresent();
    boolean isRewritten =
        isRecorded || isUsedByAll && rewriting.done().filter(id::equals).isPresent();
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
        Optional.of(id).filter(_ -> isRewritten));
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

  /** The step and key with which all objects were written again, as status tells it. */
  Optional<String> recordedRewrite() {
    return Optional.ofNullable(controlPlane.getStatus())
        .map(ControlPlaneStatus::rotation)
        .map(RotationStatus::encryptionKey)
        .map(RotationStatus.Key::rewritten);
  }
}
