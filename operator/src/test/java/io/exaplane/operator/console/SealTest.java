// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class SealTest {
  private static final Instant NOW = Instant.parse("2026-11-28T10:00:00Z");
  private final Seal seal = new Seal(Seal.newKey());

  @Test
  void onlyTheSameKeyOpensIt() {
    String cookie = seal.close("a.token", NOW);
    assertThat(cookie).doesNotContain("a.token").matches("[A-Za-z0-9_-]+");
    assertThat(seal.open(cookie, NOW)).hasValue("a.token");
    assertThat(new Seal(Seal.newKey()).open(cookie, NOW)).isEmpty();
  }

  @Test
  void itEnds() {
    String cookie = seal.close("a.token", NOW);
    assertThat(seal.open(cookie, NOW.plus(Seal.SESSION).minusSeconds(1))).isPresent();
    assertThat(seal.open(cookie, NOW.plus(Seal.SESSION))).isEmpty();
  }

  @Test
  void aChangedOneIsNone() {
    String cookie = seal.close("a.token", NOW);
    for (int i = 0; i < cookie.length(); i++) {
      char other = cookie.charAt(i) == 'A' ? 'Q' : 'A';
      String changed = cookie.substring(0, i) + other + cookie.substring(i + 1);
      assertThat(seal.open(changed, NOW)).as("character %d", i).isEmpty();
    }
    assertThat(seal.open("", NOW)).isEmpty();
    assertThat(seal.open("no base64 at all", NOW)).isEmpty();
  }
}
