// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.tuning.version.MinorVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Bad habits among clients that do what they should: the dearest client is taken for what it is,
 * and the others are not accused.
 */
class PlantedCulpritsTest {
  private static final int INNOCENT = 200;

  /** At least so many lines of leases are in the long log, beside what clients do otherwise. */
  private static final int LINES = Integer.getInteger("lines", 100_000);

  private static final int SEEDS = Integer.getInteger("seeds", 1);

  /** Of clients that do what they should, at most so many are accused. */
  private static final double MOST_FALSE = 0.01;

  /** What a client does, and what is to be said of it. */
  enum Habit {
    POLLER(36, Set.of(Finding.POLLING), h -> h.poll(10, 0.1, h.address(1), "pods", "")),
    SLOW_POLLER(
        36,
        Set.of(Finding.POLLING),
        h -> h.poll(300, 0.1, h.address(1), "configmaps", "?resourceVersion=0")),
    POLLER_OF_EVENTS(36, Set.of(Finding.POLLING), h -> h.poll(15, 0, h.address(1), "events", "")),
    POLLERS_IN_STEP(
        36,
        Set.of(Finding.POLLING),
        h -> {
          for (int i = 0; i < 60; i++) {
            for (int s = 20; s < Habits.SECONDS; s += 240) {
              h.list(s + 10 * h.random().nextDouble(), h.address(i), "pods", "?resourceVersion=0");
            }
          }
        }),
    LIMITER(
        36,
        Set.of(Finding.POLLING, Finding.LIMIT_IGNORED),
        h -> h.poll(20, 0.2, h.address(1), "pods", "?limit=500&resourceVersion=0")),
    SELECTOR(
        36,
        Set.of(Finding.POLLING, Finding.SELECTOR_WITHOUT_INDEX),
        h -> h.poll(5, 0, h.address(1), "configmaps", "?labelSelector=app%3Da&resourceVersion=0")),
    STORE_READER(
        30,
        Set.of(Finding.POLLING, Finding.STORE_READS),
        h -> h.poll(30, 0, h.address(1), "pods", "")),
    EXACT_READER(
        33,
        Set.of(Finding.POLLING, Finding.EXACT_READS),
        h -> h.poll(30, 0, h.address(1), "pods", "?resourceVersion=7&resourceVersionMatch=Exact")),
    PAGER_OF_STORE(33, Set.of(Finding.PAGES_FROM_STORE), h -> pages(h, 1_200, "pods", 500)),
    PAGER(36, Set.of(Finding.MANY_PAGES), h -> pages(h, 1_200, "configmaps", 500)),
    STREAMERS(
        35,
        Set.of(Finding.WATCH_LISTS_OF_LARGE),
        h -> {
          for (int i = 0; i < 8; i++) {
            h.add(
                400.0 * i + 9,
                "watch",
                h.address(i),
                "configmaps",
                "?sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true",
                200);
          }
        }),
    HERD(
        36,
        Set.of(Finding.RESTARTS_IN_STEP),
        h -> {
          for (int i = 0; i < 60; i++) {
            h.informer(i / 3.0, h.address(i), "pods");
            h.informer(1_700 + i / 3.0, h.address(i), "pods");
          }
        }),
    HERD_WITH_NEW_ADDRESSES(
        36,
        Set.of(Finding.RESTARTS_IN_STEP),
        h -> {
          for (int i = 0; i < 60; i++) {
            h.informer(50.0 * i, h.address(i), "pods");
            h.informer(3_300 + i / 2.0, h.address(1_000 + i), "pods");
          }
        }),
    CRON_JOBS(
        36,
        Set.of(Finding.RESTARTS_IN_STEP),
        h -> {
          for (int s = 0; s < Habits.SECONDS; s += 600) {
            for (int i = 0; i < 25; i++) {
              h.list(s + 3 * h.random().nextDouble(), h.address(s * 100 + i), "pods", "");
            }
          }
        }),
    RELISTER(
        36,
        Set.of(Finding.RELISTS),
        h -> {
          for (int s = 7; s < Habits.SECONDS; s += 40 + h.random().nextInt(40)) {
            h.informer(s, h.address(1), "pods");
          }
        }),
    EVERYWHERE(
        36,
        Set.of(Finding.EVERYTHING_EVERYWHERE),
        h -> {
          for (int i = 0; i < 120; i++) {
            h.informer(29.0 * i, h.address(i), "pods");
          }
        }),
    SHARED(
        36,
        Set.of(Finding.POLLING, Finding.SHARED_ACCOUNT),
        h -> {
          h.poll(20, 0, h.address(1), "pods", "");
          h.alsoAs("sidecar");
          h.add(5, "get", h.address(1), "pods", "/x", 200);
        }),
    UNKNOWN(
        36,
        Set.of(Finding.DEAREST),
        h -> {
          for (int s : new int[] {10, 1_300, 2_900}) {
            h.list(s, h.address(1), "configmaps", "");
            h.list(s + 1, h.address(1), "pods", "");
          }
        });

    private final int minor;
    private final Set<Finding> expected;
    private final Consumer<Habits> habit;

    Habit(int minor, Set<Finding> expected, Consumer<Habits> habit) {
      this.minor = minor;
      this.expected = expected;
      this.habit = habit;
    }

    private static void pages(Habits h, int period, String resource, int limit) {
      for (int s = 3; s < Habits.SECONDS; s += period) {
        h.list(s, h.address(1), resource, "?limit=" + limit);
        for (int page = 1; page < Habits.INVENTORY.objects(resource, "") / limit; page++) {
          h.list(s + page / 50.0, h.address(1), resource, "?limit=" + limit + "&continue=x");
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void theDearestIsTakenForWhatItIs(Habit habit) {
    int accused = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      Habits habits = new Habits(31L * habit.ordinal() + seed);
      for (int i = 0; i < INNOCENT; i++) {
        habits.innocent(i, 10);
      }
      habit.habit.accept(habits.as("culprit"));
      ListAnalysis analysis = new ListAnalysis(MinorVersion.of(habit.minor), Habits.INVENTORY);
      habits.events().forEach(analysis::take);
      List<ClientReport> clients = analysis.clients();
      ClientReport dearest = clients.getFirst();
      assertThat(dearest.client().program()).as("seed %d", seed).isEqualTo("culprit");
      assertThat(dearest.findings().keySet()).as("seed %d", seed).isEqualTo(habit.expected);
      accused += accused(clients);
    }
    assertThat(accused / (double) (SEEDS * INNOCENT)).isLessThanOrEqualTo(MOST_FALSE);
  }

  /** All at once, as text, through the reader; what fails here fails in the order of a real log. */
  @Test
  void aLongLogWithEveryHabit() throws IOException {
    Habits habits = new Habits(27);
    List<Habit> planted = new ArrayList<>();
    for (Habit habit : Habit.values()) {
      boolean newServer = habit.minor == 36;
      if (newServer && habit != Habit.UNKNOWN) {
        planted.add(habit);
        habit.habit.accept(habits.as(program(habit)));
      }
    }
    int before = habits.events().size();
    int each = (LINES - before) / INNOCENT;
    for (int i = 0; i < INNOCENT; i++) {
      habits.innocent(i, each);
    }
    List<AuditEvent> events = habits.events();
    ListAnalysis analysis = new ListAnalysis(MinorVersion.of(36), Habits.INVENTORY);
    AuditLog.Read read = AuditLog.read(new Lines(events.iterator()), analysis::take);
    assertThat(read.requests()).isEqualTo(events.size()).isGreaterThan(LINES);
    assertThat(read.unrecognised()).isZero();
    List<ClientReport> clients = analysis.clients();
    for (Habit habit : planted) {
      assertThat(clients)
          .as(habit + "")
          .filteredOn(report -> report.client().program().equals(program(habit)))
          .singleElement()
          .satisfies(report -> assertThat(report.findings().keySet()).isEqualTo(habit.expected));
    }
    assertThat(clients.getFirst().findings()).isNotEmpty();
    int accused = accused(clients);
    System.out.printf("%d of %d clients without a bad habit were accused%n", accused, INNOCENT);
    assertThat(accused / (double) INNOCENT).isLessThanOrEqualTo(MOST_FALSE);
  }

  private static String program(Habit habit) {
    return "culprit-" + habit.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  }

  private static int accused(List<ClientReport> clients) {
    return (int)
        clients.stream()
            .filter(report -> report.client().program().startsWith("innocent"))
            .filter(report -> !report.findings().isEmpty())
            .count();
  }

  /** Events as kube-apiserver writes them. */
  private static final class Lines extends InputStream {
    private final Iterator<AuditEvent> events;
    private byte[] line = {};
    private int at;

    Lines(Iterator<AuditEvent> events) {
      this.events = events;
    }

    @Override
    public int read() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      if (at == line.length) {
        if (!events.hasNext()) {
          return -1;
        }
        line = text(events.next()).getBytes(StandardCharsets.UTF_8);
        at = 0;
      }
      int count = Math.min(length, line.length - at);
      System.arraycopy(line, at, into, offset, count);
      at += count;
      return count;
    }

    private static String text(AuditEvent e) {
      String stage = e.verb().equals("watch") ? "ResponseStarted" : "ResponseComplete";
      Instant time = Instant.ofEpochSecond(1_795_341_600L, e.receivedMicros() * 1_000);
      return "{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\",\"level\":\"Metadata\",\"auditID\":\"a\",\"stage\":\""
          + stage
          + "\",\"requestURI\":\""
          + e.uri()
          + "\",\"verb\":\""
          + e.verb()
          + "\",\"user\":{\"username\":\""
          + e.user()
          + "\"},\"sourceIPs\":[\""
          + e.sourceIp()
          + "\"],\"userAgent\":\""
          + e.userAgent()
          + "\",\"objectRef\":{\"resource\":\""
          + e.resource()
          + "\",\"namespace\":\""
          + e.namespace()
          + "\"},\"responseStatus\":{\"code\":"
          + e.code()
          + "},\"requestReceivedTimestamp\":\""
          + time
          + "\"}\n";
    }
  }
}
