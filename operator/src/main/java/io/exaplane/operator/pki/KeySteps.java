// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import io.exaplane.api.v1alpha1.Names;
import io.exaplane.operator.rotation.RotatedKey;
import io.exaplane.operator.rotation.Rotation;
import io.exaplane.operator.rotation.RotationStep;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Makes the steps of rotations, each by one write of the key's Secret. The write is refused if the
 * Secret is not as it was seen, so an operator with an old cache, or a second one, changes nothing.
 * Used by one thread.
 */
final class KeySteps {
  private final SecretStore secrets;
  private final Clock clock;

  KeySteps(SecretStore secrets, Clock clock) {
    this.secrets = secrets;
    this.clock = clock;
  }

  /**
   * Makes the next step, if there is one now.
   *
   * @param names of the files of one key
   * @param make makes files of a new key
   * @return for people: what the Secret has from now on
   */
  Optional<String> make(
      Rotation rotation, String secret, List<String> names, Supplier<Map<String, String>> make) {
    Optional<RotatedKey> next =
        RotationStep.next(
            rotation.key(), rotation.look(), make, clock.instant().truncatedTo(ChronoUnit.SECONDS));
    if (next.isEmpty()) {
      return Optional.empty();
    }
    Optional<Secret> live = secrets.liveSecret(secret);
    boolean asSeen =
        live.map(SecretStore::files)
            .filter(files -> RotatedKey.read(files, names).equals(rotation.key()))
            .isPresent();
    return asSeen
            && secrets.replace(live.get(), next.get().files(), rotation.key().files().keySet())
        ? Optional.of(text(rotation, next.get()))
        : Optional.empty();
  }

  private static String text(Rotation rotation, RotatedKey next) {
    String field = "spec.pki.rotation." + rotation.field();
    if (rotation.field().equals(Rotation.ENCRYPTION_KEY)) {
      return encryption(next);
    }
    return switch (next.stage()) {
      case TRUSTED -> field + ": made a new key; components trust both.";
      case ISSUING -> field + ": the new key signs; components trust both.";
      case SERVING ->
          field
              + ": servers get certificates of the new key."
              + (rotation.outside().behind().isEmpty()
                  ? ""
                  : " The annotation %s lets the rotation continue without %s."
                      .formatted(
                          Names.ROTATION_OVERRIDE, String.join(", ", rotation.outside().behind())));
      case SINGLE -> field + ": removed the old key; components trust the new key only.";
    };
  }

  /** Also of a change of the resources, so the field is not named. */
  private static String encryption(RotatedKey next) {
    String name = EncryptionKey.current(next).name();
    String other = EncryptionKey.other(next).map(EncryptionKey::name).orElse("");
    return switch (next.stage()) {
      case TRUSTED ->
          "Encryption: kube-apiservers learn to read by %s, and write by %s."
              .formatted(other, name);
      case ISSUING, SERVING ->
          "Encryption: kube-apiservers write by %s, and read by %s, too.".formatted(name, other);
      case SINGLE -> "Encryption: kube-apiservers read and write by %s only.".formatted(name);
    };
  }
}
