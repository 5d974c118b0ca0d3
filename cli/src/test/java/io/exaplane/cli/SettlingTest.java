// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.apply.engine.Notice;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.Problem;
import io.exaplane.apply.manifest.Reading;
import io.exaplane.cli.Settling.Look;
import io.exaplane.cli.Settling.Worth;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a watch of files takes, how often it reads, and what it keeps for a stopped terminal. */
class SettlingTest {
  private static final Look FIRST = new Look(new Reading(List.of(), List.of(), 1, 1), "");

  private static Look with(String problem) {
    Problem one = new Problem(new Manifest.Source("a.yaml", 3), problem);
    return new Look(new Reading(List.of(), List.of(one), 1, 1), "");
  }

  @Test
  void whatIsNewCountsWhenItIsStillSo() {
    Settling settling = new Settling(FIRST);
    assertThat(settling.of(FIRST, FIRST)).isEqualTo(Worth.OLD);
    assertThat(settling.of(with("a"), FIRST)).isEqualTo(Worth.MOVING);
    assertThat(settling.of(with("b"), FIRST)).isEqualTo(Worth.MOVING);
    assertThat(settling.of(with("b"), FIRST)).isEqualTo(Worth.SETTLED);
    assertThat(settling.of(with("b"), with("b"))).isEqualTo(Worth.OLD);
  }

  @Test
  void wordsThatDifferInIdentifiersAreTheSame() {
    Settling settling = new Settling(FIRST);
    Look taken = with("refused by 10.0.0.1:40312 (request 7f3a), retry after 4 s");
    assertThat(settling.of(taken, FIRST)).isEqualTo(Worth.MOVING);
    Look next = with("refused by 10.0.0.1:40313 (request 8b2c), retry after 3 s");
    assertThat(settling.of(next, FIRST)).isEqualTo(Worth.SETTLED);
    assertThat(settling.of(taken, next)).isEqualTo(Worth.OLD);
    assertThat(new Look(null, "status 429, id 1").same(new Look(null, "status 429, id 2")))
        .isTrue();
    assertThat(new Look(null, "no such file").same(FIRST)).isFalse();
  }

  /** Files that never come to rest are read twice an interval, and that is said once. */
  @Test
  void filesThatGoOnChangingAreReadSeldom() {
    Settling settling = new Settling(FIRST);
    List<Worth> worth = new ArrayList<>();
    for (int i = 0; i < 2 * Settling.MOST; i++) {
      worth.add(settling.of(with("x".repeat(i + 1)), FIRST));
    }
    assertThat(worth.subList(0, Settling.MOST - 1)).containsOnly(Worth.MOVING);
    assertThat(worth.get(Settling.MOST - 1)).isEqualTo(Worth.RESTLESS);
    assertThat(worth.subList(Settling.MOST, Settling.MOST + 4))
        .containsExactly(Worth.MOVING, Worth.STILL_RESTLESS, Worth.MOVING, Worth.STILL_RESTLESS);
    assertThat(worth).containsOnlyOnce(Worth.RESTLESS);
    Look last = with("x".repeat(2 * Settling.MOST));
    assertThat(settling.of(last, FIRST)).isEqualTo(Worth.SETTLED);
  }

  @Test
  void theOldestNoticesAreDroppedAndCounted() {
    Notices notices = new Notices(2);
    for (String each : List.of("a", "b", "c", "d")) {
      notices.add(new Notice(Notice.Kind.APPLIED, "source", null, null, each));
    }
    assertThat(notices.dropped()).isEqualTo(2);
    assertThat(notices.dropped()).isZero();
    assertThat(notices.next().message()).isEqualTo("c");
    assertThat(notices.next().message()).isEqualTo("d");
    assertThat(notices.next()).isNull();
  }
}
