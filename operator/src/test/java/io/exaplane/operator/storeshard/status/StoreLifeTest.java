// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.StoreRecovered;
import io.exaplane.api.v1alpha1.StoreRestart;
import io.exaplane.api.v1alpha1.StoreShardStatus;
import io.exaplane.operator.storeshard.usage.StoreFigures;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StoreLifeTest {
  private static final Instant FIRST = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant SECOND = Instant.parse("2026-01-02T00:00:00Z");
  private static final String END = "OOMKilled";

  @Test
  void theFirstStartIsNoRestart() {
    StoreLife life = life(null, "a", figures(FIRST, 1, StoreRecovered.Empty));

    assertThat(life.restart()).isNull();
    assertThat(life.losses()).isZero();
    assertThat(life.startTime()).isEqualTo(FIRST.toString());
    assertThat(life.dataId()).isEqualTo("a");
  }

  @Test
  void beforeThereIsAPodNothingIsKnown() {
    StoreLife life = new StoreLife(null, Optional.empty(), Optional.empty(), END);

    assertThat(life.dataId()).isNull();
    assertThat(life.startTime()).isNull();
    assertThat(life.losses()).isZero();
    assertThat(revision(life)).isNull();
  }

  @Test
  void whatAVolumeKeptIsThereAfterARestart() {
    StoreLife life = life(status("a", 100L), "a", figures(SECOND, 120, StoreRecovered.Replayed));

    assertThat(life.restart())
        .isEqualTo(new StoreRestart(SECOND.toString(), END, StoreRecovered.Replayed));
    assertThat(life.losses()).isZero();
    assertThat(revision(life)).isEqualTo(120);
  }

  @Test
  void aContainerThatRestartsEmptyLostItsData() {
    StoreLife life = life(status("a", 100L), "a", figures(SECOND, 1, StoreRecovered.Empty));

    assertThat(life.losses()).isOne();
    assertThat(life.lostVolume()).isFalse();
    assertThat(life.restart().recovered()).isEqualTo(StoreRecovered.Empty);
  }

  @Test
  void thatAPersistentVolumeIsEmptyInANewPodIsALoss() {
    StoreLife life = life(status("claim", 100L), "claim", figures(SECOND, 1, StoreRecovered.Empty));

    assertThat(life.losses()).isOne();
  }

  @Test
  void oneThatWasNeverWrittenLosesNothing() {
    StoreLife life = life(status("a", 1L), "a", figures(SECOND, 1, StoreRecovered.Empty));

    assertThat(life.losses()).isZero();
    assertThat(life.restart()).isNotNull();
  }

  @Test
  void whenAPodTookItsVolumeAlongNothingMoreIsKnown() {
    StoreLife life =
        new StoreLife(status("pod-1", 100L), Optional.of("pod-2"), Optional.empty(), END);

    assertThat(life.lostVolume()).isTrue();
    assertThat(life.losses()).isOne();
    assertThat(revision(life)).isNull();
    assertThat(life.startTime()).isEqualTo(FIRST.toString());
  }

  @Test
  void figuresOfTheProcessBeforeTellNothingOfANewVolume() {
    Optional<StoreFigures> stale = figures(FIRST, 100, StoreRecovered.Replayed);
    StoreLife replaced = life(status("pod-1", 100L), "pod-2", stale);
    assertThat(revision(replaced)).isNull();
    assertThat(replaced.restart()).isNull();

    StoreLife later = life(told(replaced), "pod-2", stale);
    assertThat(revision(later)).isNull();
    assertThat(later.losses()).isOne();
  }

  @Test
  void aLossIsCountedOnce() {
    StoreLife replaced = life(status("pod-1", 100L), "pod-2", Optional.empty());
    Optional<StoreFigures> empty = figures(SECOND, 1, StoreRecovered.Empty);

    StoreLife answers = life(told(replaced), "pod-2", empty);
    assertThat(answers.losses()).isOne();
    assertThat(answers.restart().reason()).isEqualTo(END);
    assertThat(revision(answers)).isOne();

    StoreLife again = life(told(answers), "pod-2", empty);
    assertThat(again.losses()).isOne();
    assertThat(again.restart()).isEqualTo(answers.restart());
  }

  @Test
  void whileThePodIsAwayWhatWasLastKnownStands() {
    StoreLife life = new StoreLife(status("a", 100L), Optional.empty(), Optional.empty(), END);

    assertThat(life.dataId()).isEqualTo("a");
    assertThat(life.lostVolume()).isFalse();
    assertThat(revision(life)).isEqualTo(100);
  }

  private static StoreLife life(
      StoreShardStatus before, String dataId, Optional<StoreFigures> measured) {
    return new StoreLife(before, Optional.of(dataId), measured, END);
  }

  private static Long revision(StoreLife life) {
    return life.figure(StoreFigures::revision, StoreShardStatus::revision);
  }

  private static Optional<StoreFigures> figures(
      Instant started, long revision, StoreRecovered recovered) {
    return Optional.of(
        new StoreFigures(revision, null, 0, 0, 0, 0, null, null, 0, started, recovered));
  }

  private static StoreShardStatus status(String dataId, Long revision) {
    return status(dataId, 0, revision, FIRST.toString(), null);
  }

  private static StoreShardStatus told(StoreLife life) {
    return status(life.dataId(), life.losses(), revision(life), life.startTime(), life.restart());
  }

  private static StoreShardStatus status(
      String dataId, int losses, Long revision, String startTime, StoreRestart restart) {
    return new StoreShardStatus(
        1L, null, null, dataId, losses, null, null, revision, null, null, null, null, null, null,
        startTime, restart, null, null, null, List.of());
  }
}
