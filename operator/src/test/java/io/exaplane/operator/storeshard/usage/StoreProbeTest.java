// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.StoreRecovered;
import io.exaplane.operator.storeshard.usage.StoreUsage.Traffic;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreProbeTest {
  private static final Instant STARTED = Instant.parse("2026-01-01T00:00:00Z");

  private Instant now = Instant.parse("2026-01-02T00:00:00Z");
  private final InstantSource time = () -> now;
  private final StoreProbe probe =
      new StoreProbe(time.withZone(ZoneOffset.UTC), new StorePages(time.withZone(ZoneOffset.UTC)));

  /** A page of metrics; the next one differs in what a test says. */
  private static final class Page {
    private long revision = 1;
    private long keys = 7;
    private long podWrites;
    private long compactions;
    private String heartbeats = "leases";
    private long beats;
    private Instant started = STARTED;
    private String recovered = "replayed";

    String text() {
      return """
      # HELP exaplane_store_revision The newest revision.
      # TYPE exaplane_store_revision gauge
      exaplane_store_revision %d.0
      exaplane_store_durable_revision 90.0
      exaplane_store_compacted_revision 3.0
      exaplane_store_recovered{outcome="empty"} %s
      exaplane_store_recovered{outcome="replayed"} %s
      exaplane_store_kind_keys{kind="pods",prefix=""} 7.0
      exaplane_store_kind_puts_total{kind="pods",prefix=""} %d.0
      exaplane_store_kind_puts_total{kind="%s",prefix=""} %d.0
      exaplane_store_kind_deletes_total{kind="secrets",prefix="/registry/secrets/"} 1.0
      exaplane_store_kind_puts_total{kind="other",prefix=""} %d.0
      exaplane_store_journal_stalled 0.0
      exaplane_store_space_exceeded 0.0
      exaplane_store_record_bytes 1.0
      etcd_server_quota_backend_bytes 1.0E9
      etcd_debugging_mvcc_keys_total %d.0
      etcd_debugging_mvcc_watcher_total 5.0
      process_start_time_seconds %s
      """
          .formatted(
              revision,
              recovered.equals("empty") ? "1.0" : "0.0",
              recovered.equals("replayed") ? "1.0" : "0.0",
              podWrites,
              heartbeats,
              beats,
              compactions,
              keys,
              (double) started.getEpochSecond());
    }
  }

  private StoreUsage look(Page page) {
    Set<StoreUsage> seen = probe.usage("uid", page.text(), Optional::empty);
    assertThat(seen).hasSize(1);
    return seen.iterator().next();
  }

  @ParameterizedTest
  @CsvSource({"1,10000000", "4999999,10000000", "5000000,15000000", "123456789,130000000"})
  void theFloorIsFarAboveAndSeldomMoves(long revision, long floor) {
    Page page = new Page();
    page.revision = revision;
    assertThat(look(page).revisionFloor()).isEqualTo(floor);
  }

  @Test
  void whatIsNotKnownIsNotGuessed() {
    Page page = new Page();
    assertThat(probe.usage("uid", "", Optional::empty)).isEmpty();
    assertThat(
            probe.usage(
                "uid", page.text().replace("exaplane_store_journal_stalled", "x"), Optional::empty))
        .isEmpty();
    page.revision = 0;
    assertThat(probe.usage("uid", page.text(), Optional::empty)).isEmpty();
  }

  @Test
  void figuresAreTheSameForFiveMinutesSinceEachChangeIsAWriteOfTheStatus() {
    Page page = new Page();
    page.revision = 100;
    StoreFigures first = look(page).figures();
    assertThat(first)
        .isEqualTo(
            new StoreFigures(
                100, 90L, 3, 7, 1, 1_000_000_000, null, null, 5, STARTED, StoreRecovered.Replayed));
    page.revision = 200;
    page.podWrites = 1;
    now = now.plusSeconds(299);
    assertThat(look(page).figures()).isEqualTo(first);
    now = now.plusSeconds(1);
    assertThat(look(page).figures().revision()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"leases", "masterleases", "nodes", "events"})
  void heartbeatsAloneAreNoNews(String kind) {
    Page page = new Page();
    page.heartbeats = kind;
    StoreFigures first = look(page).figures();
    for (int i = 0; i < 12; i++) {
      page.beats += 600;
      page.compactions++;
      page.revision += 601;
      page.keys += 1;
      now = now.plus(Duration.ofMinutes(5));
      assertThat(look(page).figures()).as("after %d heartbeats", page.beats).isEqualTo(first);
    }
    page.podWrites++;
    assertThat(look(page).figures().revision()).as("anything else").isEqualTo(page.revision);
    assertThat(look(page).traffic()).isEqualTo(Traffic.OBSERVED);
  }

  @Test
  void manyHeartbeatsAreToldWithoutAnyChange() {
    Page page = new Page();
    look(page);
    page.revision += 99_999;
    now = now.plus(Duration.ofMinutes(5));
    assertThat(look(page).figures().revision()).isEqualTo(1);
    page.revision++;
    assertThat(look(page).figures().revision()).isEqualTo(100_001);
  }

  @Test
  void aCountThatChangedByMoreThanAFewIsTold() {
    Page page = new Page();
    look(page);
    page.keys += 100;
    now = now.plus(Duration.ofMinutes(5));
    assertThat(look(page).figures().keys()).isEqualTo(7);
    page.keys++;
    assertThat(look(page).figures().keys()).isEqualTo(108);
  }

  @Test
  void theFirstWritesAreSeenAtOnce() {
    Page page = new Page();
    page.keys = 0;
    look(page);
    page.keys = 2;
    assertThat(look(page).figures().keys()).isEqualTo(2);
  }

  @Test
  void aRestartIsSeenAtOnce() {
    Page page = new Page();
    look(page);
    page.started = now;
    page.recovered = "empty";
    now = now.plusSeconds(10);
    assertThat(look(page).figures())
        .extracting(StoreFigures::started, StoreFigures::recovered)
        .containsExactly(page.started, StoreRecovered.Empty);
  }

  @Test
  void aStoreThatIsNotWrittenForTenMinutesHasNoTraffic() {
    Page page = new Page();
    assertThat(look(page).traffic()).isEqualTo(Traffic.AWAITED);
    now = now.plus(Duration.ofMinutes(10)).minusSeconds(1);
    page.compactions = 3;
    assertThat(look(page).traffic()).isEqualTo(Traffic.AWAITED);
    now = now.plusSeconds(1);
    assertThat(look(page).traffic()).as("compactions are none").isEqualTo(Traffic.NONE);
    page.podWrites = 1;
    assertThat(look(page).traffic()).isEqualTo(Traffic.OBSERVED);
    now = now.plus(Duration.ofHours(1)).minusSeconds(1);
    assertThat(look(page).traffic())
        .as("a quiet time is none to tell of")
        .isEqualTo(Traffic.OBSERVED);
  }

  @Test
  void countersThatBeganAnewAreNoTraffic() {
    Page page = new Page();
    look(page);
    page.started = now;
    page.podWrites = 100; // a store of an older version counts what it reads of its journal
    now = now.plus(Duration.ofMinutes(10));
    assertThat(look(page).traffic()).isEqualTo(Traffic.NONE);
  }

  @Test
  void storesThatAreGoneAreForgotten() {
    Page page = new Page();
    page.revision = 100;
    look(page);
    now = now.plus(Duration.ofMinutes(61));
    assertThat(look(page).traffic()).as("it is looked at anew").isEqualTo(Traffic.AWAITED);
  }

  @Test
  void whoeverLooksSeesTheRateOfEachKind() {
    Page page = new Page();
    probe.usage("u", page.text(), Optional::empty);
    assertThat(probe.live("u")).as("nobody asked for it").isEmpty();
    probe.keepLives();
    page.podWrites = 100;
    probe.usage("u", page.text(), Optional::empty);
    assertThat(probe.live("u").orElseThrow().writesPerSecond()).isZero();
    page.podWrites = 150;
    page.compactions = 9;
    now = now.plusSeconds(10);
    probe.usage("u", page.text(), Optional::empty);
    LiveStore live = probe.live("u").orElseThrow();
    assertThat(live.writesPerSecond()).isEqualTo(5);
    assertThat(live.kinds().getFirst().name()).isEqualTo("pods");
    assertThat(live.kinds().getFirst().writesPerSecond()).isEqualTo(5);
    assertThat(live.trend()).containsExactly(5.0);
  }

  /** Its counters begin at 0 again. */
  @Test
  void aRestartedStoreHasNoRateAtOnce() {
    probe.keepLives();
    Page page = new Page();
    page.podWrites = 100;
    probe.usage("u", page.text(), Optional::empty);
    page.podWrites = 1;
    now = now.plusSeconds(10);
    probe.usage("u", page.text(), Optional::empty);
    assertThat(probe.live("u").orElseThrow().writesPerSecond()).isZero();
  }
}
