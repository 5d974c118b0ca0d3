// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.rotation;

import io.exaplane.api.v1alpha1.RotationWish;
import io.exaplane.operator.rotation.RotationStep.Look;
import java.util.List;
import java.util.Optional;

/**
 * How far the rotation of one key is. Immutable.
 *
 * @param field of {@code spec.pki.rotation}
 * @param key as its Secret has it
 * @param look what decides about the next step
 * @param remaining the components that do not run with the present step yet
 * @param outside who else does not follow
 * @param servers the kube-apiservers that write by the new key of encryption, if no other one does;
 *     empty otherwise, and of keys that encrypt nothing
 * @param rewritten the step, key and servers with which all encrypted objects are written again;
 *     empty while they are not, and of keys that encrypt nothing
 */
public record Rotation(
    String field,
    RotatedKey key,
    Look look,
    List<String> remaining,
    Outside outside,
    Optional<String> servers,
    Optional<String> rewritten) {
  public static final String CA = "ca";
  public static final String SERVICE_ACCOUNT_KEY = "serviceAccountKey";

  public static final String ENCRYPTION_KEY = "encryptionKey";

  /** Of a key that encrypts nothing. */
  public Rotation(
      String field, RotatedKey key, Look look, List<String> remaining, Outside outside) {
    this(field, key, look, remaining, outside, Optional.empty(), Optional.empty());
  }

  /** Of a key that nobody outside has to follow. */
  public Rotation(String field, RotatedKey key, Look look, List<String> remaining) {
    this(field, key, look, remaining, Outside.NONE);
  }

  /** Whether objects are to be written again, and every kube-apiserver uses the new key. */
  public boolean rewrites() {
    return field.equals(ENCRYPTION_KEY)
        && key.stage() == Stage.ISSUING
        && servers.isPresent()
        && !look.followed();
  }

  /** Whether the old key would go now, if the nodes followed. */
  public boolean isHeld() {
    return key.stage() == Stage.ISSUING && look.wish() == RotationWish.Complete && !look.followed();
  }
}
