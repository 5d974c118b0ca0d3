// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.rotation;

import io.exaplane.operator.rotation.RotationStep.Look;
import java.util.List;

/**
 * How far the rotation of one key is. Immutable.
 *
 * @param field of {@code spec.pki.rotation}
 * @param key as its Secret has it
 * @param look what decides about the next step
 * @param remaining the components that do not run with the present step yet
 */
public record Rotation(String field, RotatedKey key, Look look, List<String> remaining) {
  public static final String CA = "ca";
  public static final String SERVICE_ACCOUNT_KEY = "serviceAccountKey";
}
