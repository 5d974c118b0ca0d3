// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import java.time.Clock;
import java.util.Optional;

/**
 * Lets those in whom the API server knows: by a bearer token, or by the sealed cookie of a login.
 * Thread-safe; blocks while the API server is asked.
 */
final class Door {
  /** Of a cookie; browsers keep no longer ones. */
  static final int MOST_COOKIE_CHARACTERS = 3800;

  private final Seal seal;
  private final Reviews reviews;
  private final FailedLogins failures;
  private final Clock clock;

  /** What comes of somebody at the door. */
  sealed interface Outcome {}

  /** Somebody whom the API server knows. */
  record Known(Viewer viewer, String token) implements Outcome {}

  /** Nobody: no credential, or one that does not count any more. */
  record Stranger() implements Outcome {}

  /** Too many wrong tokens came lately. */
  record Limited() implements Outcome {}

  Door(Seal seal, Reviews reviews, FailedLogins failures, Clock clock) {
    this.seal = seal;
    this.reviews = reviews;
    this.failures = failures;
    this.clock = clock;
  }

  /**
   * Who asks for a page.
   *
   * @param authorization the header; null if there is none
   * @param cookie its value; null if there is none
   * @throws Reviews.Unreachable if the API server does not answer
   */
  Outcome who(String authorization, String cookie, String address) {
    Optional<String> token = bearer(authorization);
    if (token.isPresent()) {
      return login(token.get(), address);
    }
    return Optional.ofNullable(cookie)
        .flatMap(value -> seal.open(value, clock.instant()))
        .map(this::identify)
        .orElseGet(Stranger::new);
  }

  private static Optional<String> bearer(String authorization) {
    return authorization != null && authorization.regionMatches(true, 0, "Bearer ", 0, 7)
        ? Optional.of(authorization.substring(7).strip())
        : Optional.empty();
  }

  /** Who has a token that somebody sends. Tokens that were good lately are no guesses. */
  Outcome login(String token, String address) {
    if (!reviews.knows(token) && !failures.mayTry(address)) {
      return new Limited();
    }
    Outcome outcome = identify(token);
    if (outcome instanceof Stranger) {
      failures.failed(address);
    }
    return outcome;
  }

  /**
   * Who has a token. One out of a cookie is no guess: an operator sealed it after the API server
   * had accepted it. So strangers' guesses lock nobody out who is signed in.
   */
  private Outcome identify(String token) {
    return (token.isBlank() ? Optional.<Viewer>empty() : reviews.who(token))
        .<Outcome>map(viewer -> new Known(viewer, token))
        .orElseGet(Stranger::new);
  }

  /** The cookie of a login; nothing if the token is too long for one. */
  Optional<String> cookie(Known known) {
    return Optional.of(seal.close(known.token(), clock.instant()))
        .filter(value -> value.length() <= MOST_COOKIE_CHARACTERS);
  }

  /** Whether the API server still accepts somebody's token. */
  boolean isKnown(Known known) {
    return reviews.who(known.token()).filter(known.viewer()::equals).isPresent();
  }

  /** Whether somebody is still known, and may still see something. */
  boolean may(Known known, Right right) {
    return isKnown(known) && reviews.may(known.viewer(), right);
  }
}
