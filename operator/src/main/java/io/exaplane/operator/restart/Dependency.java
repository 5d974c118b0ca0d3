// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.restart;

import java.time.Instant;
import java.util.Optional;

/**
 * What a component needs to start. Immutable.
 *
 * @param serves whether all processes serve that the component asks
 * @param since since when they do; nothing if that is not known, or if there are none
 * @param credentials fingerprint of the Secrets, if another content would be a reason to start anew
 */
public record Dependency(boolean serves, Optional<Instant> since, Optional<String> credentials) {
  /** Of a component that needs nobody. */
  public static final Dependency NONE = new Dependency(true, Optional.empty(), Optional.empty());

  /** Somebody who does not serve. */
  public static final Dependency AWAY = new Dependency(false, Optional.empty(), Optional.empty());

  /** Somebody who has served since then. */
  public static Dependency since(Instant time) {
    return new Dependency(true, Optional.of(time), Optional.empty());
  }

  /** The same, with Secrets. */
  public Dependency with(String fingerprint) {
    return new Dependency(serves, since, Optional.of(fingerprint));
  }

  /** Whether an end at that time is the component's own: what it needs was there. */
  boolean serves(Instant time) {
    return serves && since.filter(time::isBefore).isEmpty();
  }
}
