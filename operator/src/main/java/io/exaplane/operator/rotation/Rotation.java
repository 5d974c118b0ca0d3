// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.rotation;

import io.exaplane.api.v1alpha1.RotationWish;
import io.exaplane.operator.rotation.RotationStep.Look;
import java.util.List;

/**
 * How far the rotation of one key is. Immutable.
 *
 * @param field of {@code spec.pki.rotation}
 * @param key as its Secret has it
 * @param look what decides about the next step
 * @param remaining the components that do not run with the present step yet
 * @param outside who else does not follow
 */
public record Rotation(
    String field, RotatedKey key, Look look, List<String> remaining, Outside outside) {
  public static final String CA = "ca";
  public static final String SERVICE_ACCOUNT_KEY = "serviceAccountKey";

  /** Of a key that nobody outside has to follow. */
  public Rotation(String field, RotatedKey key, Look look, List<String> remaining) {
    this(field, key, look, remaining, Outside.NONE);
  }

  /** Whether the old key would go now, if the nodes followed. */
  public boolean isHeld() {
    return key.stage() == Stage.ISSUING && look.wish() == RotationWish.Complete && !look.followed();
  }
}
