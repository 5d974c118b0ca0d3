// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import io.exaplane.operator.rotation.RotatedKey;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How far the objects of a hosted cluster are that are written again with a new key, as this
 * operator knows it. Immutable.
 *
 * @param progress in words; empty before the first object
 * @param done the step, the key and the servers with which all of them are written; empty while
 *     they are not
 * @param servers the Deployment of kube-apiserver and its revision, if all its pods use the present
 *     step; empty while one may write by another key. As the operator's caches have it
 * @param live asks the API server for the same
 */
public record Rewriting(
    Optional<String> progress,
    Optional<String> done,
    Optional<String> servers,
    Supplier<Optional<String>> live) {
  /** Nothing is written again, or nobody has looked. */
  public static final Rewriting NONE = new Rewriting(Optional.empty(), Optional.empty());

  /** Without those who write. */
  public Rewriting(Optional<String> progress, Optional<String> done) {
    this(progress, done, Optional.empty(), Optional::empty);
  }

  /** The same with those who write. */
  public Rewriting by(Optional<String> servers, Supplier<Optional<String>> live) {
    return new Rewriting(progress, done, servers, live);
  }

  /** What is still to come. */
  List<String> behind(RotatedKey key) {
    return List.of(
        progress.orElseGet(() -> "objects of " + String.join(", ", EncryptionKey.resources(key))));
  }
}
