// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DoorTest {
  private final FakeReviews api = new FakeReviews();
  private long nanos;
  private final Door door =
      new Door(
          new Seal(Seal.newKey()),
          api,
          new FailedLogins(() -> nanos),
          Clock.fixed(Instant.parse("2026-11-28T10:00:00Z"), ZoneOffset.UTC));

  @BeforeEach
  void people() {
    api.users.put("annas", FakeReviews.viewer("anna"));
  }

  @Test
  void aTokenOrTheCookieOfALoginLetsIn() {
    Door.Known known = (Door.Known) door.who("Bearer annas", null, "a");
    assertThat(known.viewer().name()).isEqualTo("anna");
    String cookie = door.cookie(known).orElseThrow();
    assertThat(door.who(null, cookie, "a")).isEqualTo(known);
    assertThat(door.who(null, null, "a")).isInstanceOf(Door.Stranger.class);
    assertThat(door.who("Basic annas", null, "a")).isInstanceOf(Door.Stranger.class);
    assertThat(door.who("Bearer ", null, "a")).isInstanceOf(Door.Stranger.class);
  }

  /** A header is what a person chose; the cookie of another one must not count beside it. */
  @Test
  void aWrongTokenIsNotReplacedByTheCookie() {
    String cookie = door.cookie((Door.Known) door.login("annas", "a")).orElseThrow();
    assertThat(door.who("Bearer wrong", cookie, "a")).isInstanceOf(Door.Stranger.class);
  }

  @Test
  void aTokenThatNoLongerCountsEndsTheSession() {
    Door.Known known = (Door.Known) door.login("annas", "a");
    String cookie = door.cookie(known).orElseThrow();
    api.rights.add(Right.toListPlanes(""));
    assertThat(door.may(known, Right.toListPlanes(""))).isTrue();
    api.users.clear();
    assertThat(door.who(null, cookie, "a")).isInstanceOf(Door.Stranger.class);
    assertThat(door.may(known, Right.toListPlanes(""))).isFalse();
  }

  /** The same token of somebody else: an authenticator gave it away again. */
  @Test
  void aTokenOfSomebodyElseEndsTheSession() {
    Door.Known known = (Door.Known) door.login("annas", "a");
    api.users.put("annas", FakeReviews.viewer("bert"));
    assertThat(door.isKnown(known)).isFalse();
  }

  @Test
  void aTokenThatNoCookieHoldsIsTold() {
    String longest = "x".repeat(4000);
    api.users.put(longest, FakeReviews.viewer("anna"));
    assertThat(door.cookie((Door.Known) door.login(longest, "a"))).isEmpty();
  }

  @Test
  void wrongTokensAreLimitedByAddress() {
    for (int i = 0; i < FailedLogins.MOST_OF_ONE; i++) {
      assertThat(door.login("wrong", "a")).isInstanceOf(Door.Stranger.class);
    }
    int asked = api.asked;
    assertThat(door.login("annas", "a")).isInstanceOf(Door.Limited.class);
    assertThat(api.asked).as("nobody is asked").isEqualTo(asked);
    assertThat(door.login("annas", "b")).isInstanceOf(Door.Known.class);
    nanos += FailedLogins.WINDOW.toNanos();
    assertThat(door.login("annas", "a")).isInstanceOf(Door.Known.class);
  }

  @Test
  void wrongTokensAreLimitedInAll() {
    for (int i = 0; i < FailedLogins.MOST_OF_ALL; i++) {
      assertThat(door.login("wrong", "address-" + i)).isInstanceOf(Door.Stranger.class);
    }
    assertThat(door.login("annas", "another")).isInstanceOf(Door.Limited.class);
    nanos += FailedLogins.WINDOW.minus(Duration.ofNanos(1)).toNanos();
    assertThat(door.login("annas", "another")).isInstanceOf(Door.Limited.class);
  }

  /** Strangers guess until they are limited. A user who is signed in remains signed in. */
  @Test
  void guessesLockNobodyOutWhoIsSignedIn() {
    String cookie = door.cookie((Door.Known) door.login("annas", "a")).orElseThrow();
    for (int i = 0; i < FailedLogins.MOST_OF_ALL; i++) {
      assertThat(door.login("wrong", "address-" + i)).isInstanceOf(Door.Stranger.class);
    }
    assertThat(door.who(null, cookie, "a")).isInstanceOf(Door.Known.class);
    api.users.clear();
    for (int i = 0; i <= FailedLogins.MOST_OF_ONE; i++) {
      assertThat(door.who(null, cookie, "a"))
          .as("an ended session")
          .isInstanceOf(Door.Stranger.class);
    }
  }

  @Test
  void aTokenThatWasGoodLatelyIsNoGuess() {
    Door remembering =
        new Door(
            new Seal(Seal.newKey()),
            new RememberedReviews(api, () -> nanos),
            new FailedLogins(() -> nanos),
            Clock.systemUTC());
    assertThat(remembering.login("annas", "a")).isInstanceOf(Door.Known.class);
    for (int i = 0; i < FailedLogins.MOST_OF_ALL; i++) {
      remembering.login("wrong-" + i, "address-" + i);
    }
    assertThat(remembering.login("annas", "a")).isInstanceOf(Door.Known.class);
    assertThat(remembering.login("wrong-0", "b")).isInstanceOf(Door.Limited.class);
  }
}
