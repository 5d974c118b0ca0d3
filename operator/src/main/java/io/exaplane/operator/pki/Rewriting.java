// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import io.exaplane.operator.rotation.RotatedKey;
import java.util.List;
import java.util.Optional;

/**
 * How far the objects of a hosted cluster are that are written again with a new key, as this
 * operator knows it. Immutable.
 *
 * @param progress in words; empty before the first object
 * @param done the step and key with which all of them are written; empty while they are not
 */
public record Rewriting(Optional<String> progress, Optional<String> done) {
  /** Nothing is written again, or nobody has looked. */
  public static final Rewriting NONE = new Rewriting(Optional.empty(), Optional.empty());

  /** What is still to come. */
  List<String> behind(RotatedKey key) {
    return List.of(
        progress.orElseGet(() -> "objects of " + String.join(", ", EncryptionKey.resources(key))));
  }
}
