// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;

class ReflectorTest {
  private static final Resource PODS = new Resource("v1", "Pod", "pods");
  private static final String WATCH =
      "/api/v1/pods?watch=true&allowWatchBookmarks=true&timeoutSeconds=7&";
  private static final String LIST =
      WATCH + "sendInitialEvents=true&resourceVersionMatch=NotOlderThan";

  private static final String PAGE = "/api/v1/pods?limit=2";
  private static final String VERIFY =
      "/api/v1/pods?resourceVersionMatch=NotOlderThan&fieldSelector=metadata.name%3Dnobody&resourceVersion=";

  private final ScriptedServer server = new ScriptedServer();
  private final Known known = new Known();
  private final TestPace pace = new TestPace();
  private final Reflector reflector = new Reflector(PODS, server, known, pace);

  @Test
  void listsAsAStreamAndGoesOnFromThere() {
    server
        .answer(200, Wire.added("a", 3), Wire.added("b", 5), Wire.listEnd(9), Wire.added("c", 10))
        .answer(200, Wire.deleted("a", 11), Wire.bookmark(20))
        .answer(200, Wire.added("d", 21));
    run();
    assertThat(known.versions).containsOnlyKeys("ns/b", "ns/c", "ns/d");
    assertThat(server.asked)
        .containsExactly(
            LIST,
            WATCH + "resourceVersion=10",
            WATCH + "resourceVersion=20",
            WATCH + "resourceVersion=21");
    assertThat(pace.pauses).isEmpty();
  }

  @Test
  void forgetsWhatWentWhileNobodyListened() {
    server
        .answer(200, Wire.added("a", 1), Wire.added("b", 2), Wire.listEnd(3))
        .answer(200, Wire.event("ERROR", Wire.status(410, "too old resource version")))
        .answer(200, Wire.added("b", 2), Wire.added("c", 7), Wire.listEnd(8));
    run();
    assertThat(known.versions).isEqualTo(Map.of("ns/b", "2", "ns/c", "7"));
    assertThat(server.asked)
        .containsExactly(LIST, WATCH + "resourceVersion=3", LIST, WATCH + "resourceVersion=8");
  }

  /** Its watches are silent until it has caught up. */
  @Test
  void listsAnewWhereTheServerHasLessThanBefore() {
    server
        .answer(200, Wire.added("a", 900), Wire.listEnd(1000))
        .meanwhile(() -> pace.now += TimeUnit.MINUTES.toNanos(5))
        .answer(200)
        .answer(504, Wire.status(504, "Too large resource version: 1000, current: 7"))
        .answer(200, Wire.added("b", 6), Wire.listEnd(7));
    run();
    assertThat(known.versions).containsOnlyKeys("ns/b");
    assertThat(server.asked)
        .containsExactly(
            LIST,
            WATCH + "resourceVersion=1000",
            VERIFY + "1000",
            LIST,
            WATCH + "resourceVersion=7");
  }

  @Test
  void aKindOnWhichNothingHappensIsNoTrouble() {
    server
        .answer(200, Wire.listEnd(1000))
        .meanwhile(() -> pace.now += TimeUnit.MINUTES.toNanos(5))
        .answer(200)
        .answer(200, Wire.page(1200, ""))
        .answer(200, Wire.added("a", 1300));
    run();
    assertThat(server.asked)
        .containsExactly(
            LIST,
            WATCH + "resourceVersion=1000",
            VERIFY + "1000",
            WATCH + "resourceVersion=1000",
            WATCH + "resourceVersion=1300");
    assertThat(pace.pauses).isEmpty();
  }

  @Test
  void listsByPagesWhereTheServerCannotStream() {
    server
        .answer(422, Wire.status(422, "sendInitialEvents is forbidden"))
        .answer(200, Wire.page(50, "more", "a", "b"))
        .answer(200, Wire.page(50, "", "c"))
        .answer(200, Wire.added("d", 51))
        .answer(410, Wire.status(410, "gone"))
        .answer(422, Wire.status(422, "sendInitialEvents is forbidden"))
        .answer(200, Wire.page(60, "more", "a"))
        .answer(410, Wire.status(410, "the continue token has expired"))
        .answer(200, Wire.page(61, "", "a", "e"));
    run();
    assertThat(known.versions).containsOnlyKeys("ns/a", "ns/e");
    assertThat(server.asked)
        .containsExactly(
            LIST,
            PAGE,
            PAGE + "&continue=more",
            WATCH + "resourceVersion=50",
            WATCH + "resourceVersion=51",
            LIST,
            PAGE,
            PAGE + "&continue=more",
            "/api/v1/pods",
            WATCH + "resourceVersion=61");
  }

  @Test
  void listsByPagesAfterAListThatDidNotEnd() {
    byte[] objects = Wire.joined(Wire.added("a", 1), Wire.added("gone", 2));
    byte[] error =
        Wire.event("ERROR", Wire.status(500, "the required storage feature is disabled"));
    for (byte[] broken : List.of(objects, Arrays.copyOf(objects, objects.length - 3), error)) {
      server.answer(200, broken).answer(200, Wire.page(4, "", "b"));
      server.answer(200, Wire.event("ERROR", Wire.status(410, "gone")));
    }
    run();
    assertThat(known.versions).containsOnlyKeys("ns/b");
    assertThat(known.retained).isEqualTo(3);
    assertThat(server.asked.subList(0, 3)).containsExactly(LIST, PAGE, WATCH + "resourceVersion=4");
    assertThat(server.asked.subList(3, 9))
        .containsExactly(
            LIST, PAGE, WATCH + "resourceVersion=4", LIST, PAGE, WATCH + "resourceVersion=4");
  }

  @Test
  void goesOnWhereAWatchBreaksOffAndListsWhereItCannotBeRead() {
    byte[] event = Wire.added("b", 6);
    server
        .answer(200, Wire.added("a", 1), Wire.listEnd(4))
        .answer(200, Wire.added("c", 5), Arrays.copyOf(event, event.length - 1))
        .answer(200, new byte[] {0, 0, 0, 2, 9, 9})
        .answer(200, Wire.added("b", 6), Wire.listEnd(7))
        .answer(200, new byte[] {-1, 0, 0, 0})
        .answer(200, Wire.event("ERROR", Wire.status(500, "etcd is unwell")))
        .answer(200, Wire.added("d", 8), Wire.listEnd(9));
    run();
    assertThat(known.versions).containsOnlyKeys("ns/d");
    assertThat(server.asked)
        .containsExactly(
            LIST,
            WATCH + "resourceVersion=4",
            WATCH + "resourceVersion=5",
            LIST,
            WATCH + "resourceVersion=7",
            WATCH + "resourceVersion=7",
            LIST,
            WATCH + "resourceVersion=9");
  }

  @Test
  void believesNoAnswerThatIsNoList() {
    server
        .answer(200, Wire.added("a", 1), Wire.listEnd(2))
        .answer(410, Wire.status(410, "gone"))
        .answer(400)
        .answer(200)
        .answer(200, Wire.status(200, "fine"))
        .answer(200, Wire.listWithoutVersion())
        .answer(404, Wire.status(404, "the server could not find the requested resource"))
        .answer(403, "{\"message\": \"forbidden\"}".getBytes(StandardCharsets.UTF_8));
    run();
    assertThat(known.versions).containsOnlyKeys("ns/a");
    assertThat(pace.pauses).hasSizeGreaterThanOrEqualTo(5);
  }

  @Test
  void waitsLongerTheLongerItFails() {
    server.unreachable().unreachable().busy(17).answer(200).unreachable();
    server.answer(200, Wire.added("a", 1), Wire.listEnd(2)).unreachable();
    server.answer(200, Wire.added("b", 3)).meanwhile(() -> pace.now = TimeUnit.MINUTES.toNanos(9));
    server.unreachable();
    run();
    assertThat(pace.pauses)
        .containsExactly("1 PT0S", "2 PT0S", "3 PT17S", "4 PT0S", "5 PT0S", "6 PT0S", "1 PT0S");
  }

  @Test
  void aKindThatMayBeAbsentIsOneWithoutObjects() {
    Resource optional = new Resource("v1", "Pod", "pods", true);
    Reflector other = new Reflector(optional, server, known, pace);
    server.answer(404).meanwhile(() -> assertThat(other.isInStep()).isTrue());
    server.answer(200, Wire.added("a", 1), Wire.listEnd(2)).answer(404).unreachable();
    server.afterwards(other::stop);
    other.run();
    assertThat(pace.without).isEqualTo(1);
    assertThat(known.versions).as("after it was there once").containsOnlyKeys("ns/a");
  }

  @Test
  void whoMayNotAskForAKindLearnsFromDiscoveryWhetherThereIsOne() {
    Resource optional = new Resource("a.b/v1", "Pod", "pods", true);
    Reflector other = new Reflector(optional, server, known, pace);
    byte[] without = "{\"resources\": [{\"name\": \"nodes\"}]}".getBytes(StandardCharsets.UTF_8);
    byte[] with = "{\"resources\": [{\"name\": \"pods\"}]}".getBytes(StandardCharsets.UTF_8);
    server.answer(403).answer(200, without).meanwhile(() -> assertThat(other.isInStep()).isTrue());
    server.answer(403).answer(404).meanwhile(() -> assertThat(other.isInStep()).isTrue());
    server.answer(403).answer(200, with);
    server.afterwards(other::stop);
    other.run();
    assertThat(server.asked).contains("/apis/a.b/v1");
    assertThat(pace.without).isEqualTo(2);
    assertThat(pace.pauses).as("it is there, and forbidden").containsExactly("1 PT0S");
  }

  @Test
  void survivesAListenerThatDoesNot() {
    known.fails = true;
    server.answer(200, Wire.added("a", 1), Wire.listEnd(2));
    server.meanwhile(() -> known.fails = false);
    server.answer(200, Wire.page(2, "", "a"));
    run();
    assertThat(known.versions).containsOnlyKeys("ns/a");
    assertThat(server.asked).containsExactly(LIST, PAGE, WATCH + "resourceVersion=2");
  }

  @Test
  void opensAWatchAnewOnWhichNothingIsHeard() throws Exception {
    server.answer(200, Wire.added("a", 1), Wire.listEnd(2));
    assertThat(cutAfterSeconds()).as("a watch that is silent to its end").isEqualTo(188);
    assertThat(server.asked.getLast()).isEqualTo(WATCH + "resourceVersion=3");
    assertThat(known.versions).containsOnlyKeys("ns/a", "ns/b");
    assertThat(reflector.isInStep()).isFalse();
  }

  @Test
  void silenceIsLongerBeforeTheFirstBookmark() throws Exception {
    assertThat(cutAfterSeconds(Wire.listEnd(2))).isEqualTo(188);
  }

  @Test
  void silenceIsShorterAfterABookmark() throws Exception {
    assertThat(cutAfterSeconds(Wire.listEnd(2), Wire.bookmark(3))).isEqualTo(181);
  }

  @Test
  void aListIsSilentNoLongerThanAnyAnswer() throws Exception {
    assertThat(cutAfterSeconds(Wire.added("a", 1))).isEqualTo(181);
  }

  /**
   * At which second an answer is given up after which nothing is heard, three minutes the least.
   */
  private int cutAfterSeconds(byte[]... answer) throws InterruptedException {
    CountDownLatch waitedFor = new CountDownLatch(1);
    server.silent(waitedFor, answer).answer(200, Wire.added("b", 3));
    server.afterwards(reflector::stop);
    Thread thread = Thread.ofPlatform().start(reflector);
    assertThat(waitedFor.await(30, TimeUnit.SECONDS)).isTrue();
    int seconds = 0;
    while (server.cut.get() == 0 && seconds < 1000) {
      pace.now = TimeUnit.SECONDS.toNanos(++seconds);
      reflector.cutIfSilent();
    }
    thread.join(TimeUnit.SECONDS.toMillis(30));
    assertThat(thread.isAlive()).isFalse();
    return seconds;
  }

  @Test
  void aListenerThatTakesItsTimeIsNoSilenceOfTheServer() {
    known.meanwhile =
        () -> {
          pace.now += TimeUnit.MINUTES.toNanos(10);
          reflector.cutIfSilent();
        };
    server.answer(200, Wire.added("a", 1), Wire.added("b", 2), Wire.listEnd(3));
    run();
    assertThat(known.versions).containsOnlyKeys("ns/a", "ns/b");
    assertThat(server.asked).containsExactly(LIST, WATCH + "resourceVersion=3");
  }

  @Test
  void aServerThatIsBusyIsNotAskedForEverything() {
    server.answer(200, Wire.added("a", 1), Wire.listEnd(2)).busy(1).busy(1).busy(1);
    server.answer(200, Wire.added("b", 3));
    run();
    assertThat(server.asked.subList(1, 5)).containsOnly(WATCH + "resourceVersion=2");
    assertThat(server.asked.getLast()).isEqualTo(WATCH + "resourceVersion=3");
  }

  @Test
  void stopsInTheMiddleOfAPause() throws Exception {
    pace.forEver = new CountDownLatch(1);
    server.unreachable();
    Thread thread = Thread.ofPlatform().start(reflector);
    assertThat(pace.forEver.await(30, TimeUnit.SECONDS)).isTrue();
    reflector.stop();
    thread.join(TimeUnit.SECONDS.toMillis(30));
    assertThat(thread.isAlive()).isFalse();
  }

  private void run() {
    server.afterwards(reflector::stop);
    reflector.run();
  }

  /** What a listener knows by what it was told. */
  private static final class Known implements ObjectListener {
    private final Map<String, String> versions = new TreeMap<>();
    private int retained;
    private boolean fails;
    private Runnable meanwhile = () -> {};

    @Override
    public void put(Resource resource, Map<String, Object> object) {
      meanwhile.run();
      if (fails) {
        throw new IllegalStateException("as planned");
      }
      versions.put(key(object), (String) meta(object).get("resourceVersion"));
    }

    @Override
    public void remove(Resource resource, Map<String, Object> object) {
      versions.remove(key(object));
    }

    @Override
    public void retain(Resource resource, BiPredicate<String, String> isThere) {
      retained++;
      versions.keySet().removeIf(key -> !isThere.test(key.split("/")[0], key.split("/")[1]));
    }

    private static String key(Map<String, Object> object) {
      return meta(object).get("namespace") + "/" + meta(object).get("name");
    }

    private static Map<?, ?> meta(Map<String, Object> object) {
      return (Map<?, ?>) object.get("metadata");
    }
  }

  private static final class TestPace implements Pace {
    private final List<String> pauses = new ArrayList<>();
    private int without;
    private CountDownLatch forEver;
    private volatile long now;

    @Override
    public long nowNs() {
      return now;
    }

    @Override
    public void pause(int failures, Duration atLeast) throws InterruptedException {
      pauses.add(failures + " " + atLeast);
      if (forEver != null) {
        forEver.countDown();
        new CountDownLatch(1).await();
      }
    }

    @Override
    public void pauseWithout() {
      without++;
    }

    @Override
    public long watchSeconds() {
      return 7;
    }

    @Override
    public Duration silence() {
      return Duration.ofMinutes(3);
    }

    @Override
    public int pageSize() {
      return 2;
    }
  }
}
