// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.exaplane.operator.storeshard.usage.SpaceHolders.Share;
import io.exaplane.operator.storeshard.usage.SpaceUse.Level;
import io.exaplane.operator.storeshard.usage.SpaceUse.Limit;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How full a store is, who fills it, and how often that is told. */
class SpaceTest {
  private static final String EVENTS = "/registry/events/";
  private static final String USAGE =
      """
      {"at":"2026-01-01T00:00:00Z","keys":9,"liveBytes":900,
      "kinds":[{"kind":"configmaps","namespace":"","prefix":"/registry/configmaps/","keys":2,"bytes":600},
      {"kind":"events","namespace":"","prefix":"/registry/events/","keys":7,"bytes":300}],
      "namespaces":[{"kind":"configmaps","namespace":"a","prefix":"/registry/configmaps/a/","keys":1,"bytes":500},
      {"kind":"nodes","namespace":"","prefix":"/registry/minions/","keys":1,"bytes":400},
      {"kind":"events","namespace":"b","prefix":"/registry/events/b/","keys":6,"bytes":250},
      {"kind":"events","namespace":"a","prefix":"/registry/events/a/","keys":1,"bytes":50}]}
      """;

  private Instant now = Instant.parse("2026-01-02T00:00:00Z");
  private final InstantSource time = () -> now;
  private final StoreProbe probe =
      new StoreProbe(time.withZone(ZoneOffset.UTC), new StorePages(time.withZone(ZoneOffset.UTC)));
  private int asked;
  private Optional<String> answer = Optional.of(USAGE);

  /** A store that takes 1,000 bytes; the next page differs in what a test says. */
  private static final class Page {
    private int stalled;
    private int exceeded;
    private long records = 1;
    private long live = 1;
    private long index;
    private long keys = 7;
    private long load = 1;
    private long eventRecords = 1;
    private long events = 1;

    String text() {
      return """
      exaplane_store_revision 7.0
      exaplane_store_compacted_revision 3.0
      exaplane_store_kind_live_bytes{kind="pods",prefix=""} 7.0
      exaplane_store_kind_live_bytes{kind="pods",prefix="/registry/pods/a/"} 2.0
      exaplane_store_journal_stalled %d.0
      exaplane_store_space_exceeded %d.0
      exaplane_store_record_bytes %d.0
      exaplane_store_live_bytes %d.0
      etcd_server_quota_backend_bytes 1.0E3
      exaplane_store_index_bytes %d.0
      exaplane_store_index_limit_bytes 100000.0
      exaplane_store_load_bytes %d.0
      exaplane_store_load_quota_bytes 5000.0
      exaplane_store_kind_load_bytes{kind="pods",prefix=""} 70.0
      exaplane_store_kind_load_bytes{kind="pods",prefix="/registry/pods/a/"} 20.0
      exaplane_store_prefix_bytes{prefix="/registry/events/"} %d.0
      exaplane_store_prefix_live_bytes{prefix="/registry/events/"} %d.0
      exaplane_store_prefix_quota_bytes{prefix="/registry/events/"} 100.0
      etcd_debugging_mvcc_keys_total %d.0
      etcd_debugging_mvcc_watcher_total 5.0
      process_start_time_seconds 1.0
      """
          .formatted(stalled, exceeded, records, live, index, load, eventRecords, events, keys);
    }
  }

  private StoreUsage look(String text) {
    Set<StoreUsage> seen =
        probe.usage(
            "uid",
            text,
            () -> {
              asked++;
              return answer.flatMap(SpaceHolders::parse);
            });
    assertThat(seen).hasSize(1);
    return seen.iterator().next();
  }

  private StoreUsage look(Page page) {
    return look(page.text());
  }

  private void later(int seconds) {
    now = now.plusSeconds(seconds);
  }

  @ParameterizedTest
  @CsvSource({
    // live, index, keys, events, exceeded: level, limit, prefix, percent
    "799, 0, 1, 1, 0, FREE, QUOTA,, 0",
    "800, 0, 1, 1, 0, SCARCE, QUOTA,, 80",
    "949, 0, 1, 1, 0, SCARCE, QUOTA,, 94",
    "950, 0, 1, 1, 0, NEARLY_EXCEEDED, QUOTA,, 95",
    "999, 0, 1, 1, 1, EXCEEDED, QUOTA,, 99",
    "1, 80000, 1000, 1, 0, SCARCE, KEYS,, 80",
    "1, 80000, 900, 1, 0, FREE, QUOTA,, 0",
    "1, 100000, 1250, 1, 1, EXCEEDED, KEYS,, 100",
    "1, 0, 1, 80, 0, SCARCE, QUOTA, /registry/events/, 80",
    "799, 79000, 1000, 1, 0, FREE, QUOTA,, 0",
    "1, 0, 1, 95, 0, NEARLY_EXCEEDED, QUOTA, /registry/events/, 95",
    "1, 0, 1, 100, 0, EXCEEDED, QUOTA, /registry/events/, 100",
    "800, 0, 1, 90, 0, SCARCE, QUOTA,, 80",
    "800, 0, 1, 96, 0, NEARLY_EXCEEDED, QUOTA, /registry/events/, 96",
  })
  void theTightestLimitCounts(
      long live,
      long index,
      long keys,
      long events,
      int exceeded,
      Level level,
      Limit limit,
      String prefix,
      int percent) {
    Page page = new Page();
    page.live = live;
    page.index = index;
    page.keys = keys;
    page.events = events;
    page.eventRecords = events;
    page.exceeded = exceeded;
    assertThat(look(page).space())
        .extracting(SpaceUse::level, SpaceUse::limit, SpaceUse::prefix, SpaceUse::percent)
        .containsExactly(level, limit, prefix, percent);
  }

  @ParameterizedTest
  @CsvSource({
    "3999, 0, FREE, QUOTA, 0",
    "4000, 0, SCARCE, LOAD, 80",
    "4750, 0, NEARLY_EXCEEDED, LOAD, 95",
    "5000, 1, EXCEEDED, LOAD, 100",
  })
  void whatKubeApiServersLoadIsALimitToo(
      long load, int exceeded, Level level, Limit limit, int percent) {
    Page page = new Page();
    page.load = load;
    page.exceeded = exceeded;
    StoreUsage seen = look(page);
    assertThat(seen.space())
        .extracting(SpaceUse::level, SpaceUse::limit, SpaceUse::prefix, SpaceUse::percent)
        .containsExactly(level, limit, null, percent);
    assertThat(seen.figures().load()).isEqualTo(load);
    assertThat(seen.figures().loadQuota()).isEqualTo(5000);
  }

  @Test
  void whoIsLoadedMostIsNamedWithWhatThatTakes() {
    Page page = new Page();
    page.load = 4000;
    answer = Optional.empty();
    StoreUsage kinds = look(page);
    assertThat(kinds.holders().mostOfKinds(kinds.space(), 3))
        .extracting(Share::kind, Share::load)
        .containsExactly(tuple("pods", 90L));
    answer =
        Optional.of(
            USAGE
                .replace("\"bytes\":300}", "\"bytes\":300,\"loadBytes\":7}")
                .replace("\"bytes\":500}", "\"bytes\":500,\"loadBytes\":9}"));
    later(20);
    StoreUsage groups = look(page);
    assertThat(groups.holders().mostOfKinds(groups.space(), 3))
        .extracting(Share::kind, Share::load)
        .containsExactly(tuple("events", 7L));
    assertThat(groups.holders().mostOfNamespaces(groups.space(), 3))
        .extracting(Share::namespace, Share::load)
        .containsExactly(tuple("a", 9L));
  }

  /** The store compacts by itself from 95 % on: a store at work has as many as there is room. */
  @Test
  void olderVersionsAreNoLackOfSpaceUntilWritesAreRefused() {
    Page page = new Page();
    page.records = 990;
    page.live = 300;
    page.eventRecords = 99;
    assertThat(look(page).space()).isEqualTo(SpaceUse.ENOUGH);
    page.exceeded = 1;
    assertThat(look(page).space())
        .extracting(SpaceUse::level, SpaceUse::percent)
        .containsExactly(Level.EXCEEDED, 30);
  }

  @Test
  void whatHistoryFillsIsNotSaidOfLoad() {
    Page page = new Page();
    page.records = 1000;
    page.live = 300;
    page.load = 4000;
    page.exceeded = 1;
    assertThat(look(page).space())
        .extracting(SpaceUse::level, SpaceUse::limit, SpaceUse::percent)
        .containsExactly(Level.EXCEEDED, Limit.QUOTA, 30);
  }

  @Test
  void aStoreOfAnOlderVersionIsJudgedByAllThatItKeeps() {
    Page page = new Page();
    page.records = 820;
    String old =
        page.text()
            .lines()
            .filter(line -> !line.matches(".*(live_bytes|index|load).*"))
            .reduce("", (one, more) -> one + more + "\n");
    assertThat(look(old).space().percent()).isEqualTo(82);
  }

  @Test
  void whoHoldsTheSpaceIsAskedForOnlyWhenItIsScarce() {
    Page page = new Page();
    page.live = 799;
    assertThat(look(page).holders()).isEqualTo(SpaceHolders.UNKNOWN);
    assertThat(asked).isZero();
    page.live = 800;
    StoreUsage scarce = look(page);
    assertThat(asked).isOne();
    assertThat(scarce.holders().mostOfKinds(scarce.space(), 3))
        .extracting(Share::kind)
        .containsExactly("configmaps", "events");
    assertThat(scarce.holders().mostOfNamespaces(scarce.space(), 3))
        .extracting(Share::namespace, Share::kind, Share::bytes)
        .containsExactly(tuple("a", "configmaps", 550L), tuple("b", "events", 250L));
  }

  @Test
  void ofAPrefixOnlyItsOwnKeysAndOfKeysTheirNumberCounts() {
    SpaceHolders holders = SpaceHolders.parse(USAGE).orElseThrow();
    SpaceUse prefix = new SpaceUse(Level.SCARCE, Limit.QUOTA, EVENTS, 1, 1);
    assertThat(holders.mostOfKinds(prefix, 3)).extracting(Share::kind).containsExactly("events");
    assertThat(holders.mostOfNamespaces(prefix, 3))
        .extracting(Share::namespace)
        .containsExactly("b", "a");
    SpaceUse keys = new SpaceUse(Level.SCARCE, Limit.KEYS, null, 1, 1);
    assertThat(holders.mostOfKinds(keys, 1)).extracting(Share::kind).containsExactly("events");
    assertThat(holders.mostOfNamespaces(keys, 1)).extracting(Share::namespace).containsExactly("b");
  }

  /** Each change is a write of the status. */
  @Test
  void aStoreAtWorkIsTheSameForFiveMinutes() {
    Page page = new Page();
    page.live = 810;
    List<StoreUsage> told = new ArrayList<>();
    for (int second = 0; second <= 600; second += 10) {
      page.live = 810 + second % 70;
      StoreUsage seen = look(page);
      if (told.isEmpty() || !told.getLast().equals(seen)) {
        told.add(seen);
      }
      later(10);
    }
    assertThat(told).hasSize(3);
    assertThat(asked).isEqualTo(3);
  }

  @Test
  void aHigherLevelIsToldAtOnceAndALowerOneWhenItStays() {
    Page page = new Page();
    page.live = 810;
    look(page);
    page.exceeded = 1;
    later(10);
    assertThat(look(page).space().level()).isEqualTo(Level.EXCEEDED);
    for (int i = 0; i < 20; i++) {
      page.exceeded = i % 2;
      later(10);
      assertThat(look(page).space().level()).as("it comes and goes").isEqualTo(Level.EXCEEDED);
    }
    page.exceeded = 0;
    page.live = 1;
    later(10);
    assertThat(look(page).space().level()).isEqualTo(Level.EXCEEDED);
    later(30);
    StoreUsage free = look(page);
    assertThat(free.space()).isEqualTo(SpaceUse.ENOUGH);
    assertThat(free.holders()).isEqualTo(SpaceHolders.UNKNOWN);
  }

  @Test
  void aLevelEndsBelowWhereItBegan() {
    Page page = new Page();
    page.live = 800;
    StoreUsage scarce = look(page);
    page.live = 785;
    for (int i = 0; i < 100; i++) {
      later(10);
      assertThat(look(page))
          .extracting(StoreUsage::space, StoreUsage::holders)
          .containsExactly(scarce.space(), scarce.holders());
    }
    page.live = 779;
    look(page);
    later(30);
    assertThat(look(page).space().level()).isEqualTo(Level.FREE);
  }

  @Test
  void aPrefixThatIsFullHidesNoStoreThatIs() {
    Page page = new Page();
    page.eventRecords = 100;
    assertThat(look(page).space().prefix()).isEqualTo(EVENTS);
    page.exceeded = 1;
    later(10);
    assertThat(look(page).space().prefix()).isNull();
  }

  @Test
  void aStoreThatCanNotSayWhoHoldsItIsAskedAgainAndItsKindsAreKnown() {
    Page page = new Page();
    page.live = 800;
    answer = Optional.empty();
    StoreUsage first = look(page);
    assertThat(first.holders().mostOfKinds(first.space(), 3))
        .extracting(Share::kind, Share::bytes)
        .containsExactly(tuple("pods", 9L));
    later(10);
    look(page);
    assertThat(asked).isOne();
    answer = Optional.of(USAGE);
    later(10);
    assertThat(look(page).holders()).isEqualTo(SpaceHolders.parse(USAGE).orElseThrow());
    assertThat(asked).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"''", "'null'", "'{}'", "'<html>'", "'[1]'"})
  void whatIsNoAnswerIsNone(String page) {
    assertThat(SpaceHolders.parse(page)).isEmpty();
  }

  @Test
  void aJournalThatComesAndGoesIsStalled() {
    Page page = new Page();
    assertThat(look(page).stalled()).isFalse();
    for (int i = 0; i < 20; i++) {
      page.stalled = (i + 1) % 2;
      later(10);
      assertThat(look(page).stalled()).isTrue();
    }
    page.stalled = 0;
    later(30);
    assertThat(look(page).stalled()).isFalse();
  }
}
