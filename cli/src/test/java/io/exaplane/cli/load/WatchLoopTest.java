// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.cli.etcd.Wire;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** How a watch goes on after each kind of end. */
class WatchLoopTest {
  private static final Duration LONG = Duration.ofMinutes(2);

  private final FakeTimer timer = new FakeTimer();
  private final FakeApi api = new FakeApi(timer, Duration.ofMillis(1));
  private final Books books = new Books(timer::nanos);

  private WatchLoop start(boolean streams) {
    books.begin("test");
    WatchLoop loop =
        new WatchLoop(
            api,
            timer,
            books,
            new SplittableRandom(1),
            new WatchLoop.Target("pods", "/api/v1/pods?", "", Duration.ofMinutes(5)),
            streams,
            WatchLoop.NOBODY);
    loop.start();
    timer.advance(Duration.ofMillis(10));
    return loop;
  }

  private FakeApi.Stream last() {
    return api.streams().getLast();
  }

  private String lastPath() {
    return api.sent(call -> true).getLast().call().path();
  }

  /** A frame of a watch: metadata has a version, and the annotation that ends the first events. */
  static byte[] frame(String type, String version, boolean isInitialEnd) {
    Wire.Writer meta = new Wire.Writer().bytes(6, Kube.utf8(version));
    if (isInitialEnd) {
      meta.bytes(
          12,
          new Wire.Writer()
              .bytes(1, Kube.utf8("k8s.io/initial-events-end"))
              .bytes(2, Kube.utf8("true"))
              .end());
    }
    return framed(type, new Wire.Writer().bytes(1, meta.end()).end());
  }

  private static byte[] framed(String type, byte[] object) {
    byte[] event =
        new Wire.Writer()
            .bytes(1, Kube.utf8(type))
            .bytes(2, new Wire.Writer().bytes(1, Kube.wrapped("v1", "Pod", object)).end())
            .end();
    return ByteBuffer.allocate(4 + event.length).putInt(event.length).put(event).array();
  }

  private static byte[] expired() {
    return framed("ERROR", new Wire.Writer().number(6, 410).end());
  }

  private void initial(String version) {
    last().watcher().opened();
    last().watcher().data(frame("ADDED", "3", false));
    last().watcher().data(frame("BOOKMARK", version, true));
  }

  private void end(Answer answer) {
    last().watcher().ended(answer);
    timer.advance(LONG);
  }

  @Test
  void aStreamThatTheServerEndsGoesOnAtItsLastRevision() {
    WatchLoop loop = start(true);
    assertThat(lastPath())
        .contains("sendInitialEvents=true", "resourceVersionMatch=NotOlderThan", "timeoutSeconds=");
    assertThat(loop.isOpen()).isFalse();
    initial("10");
    assertThat(loop.isOpen()).isTrue();
    assertThat(books.watching()).isEqualTo(1);
    last().watcher().data(frame("MODIFIED", "12", false));
    end(FakeApi.answer(200));
    assertThat(books.watching()).isZero();
    assertThat(lastPath()).contains("resourceVersion=12&").doesNotContain("sendInitialEvents");
  }

  @Test
  void aCompactedRevisionBeginsAgain() {
    start(true);
    initial("10");
    last().watcher().data(expired());
    end(FakeApi.answer(200));
    assertThat(lastPath()).contains("sendInitialEvents=true", "resourceVersion=&");
  }

  @Test
  void aServerWithoutStreamsOfAllObjectsGetsAList() {
    start(true);
    end(FakeApi.answer(400));
    assertThat(api.operations()).containsExactly("watch pods", "list pods", "watch pods");
    assertThat(api.sent(call -> true).get(1).call().path()).contains("limit=500&resourceVersion=0");
  }

  @Test
  void aListIsNotRepeatedWhenTheWatchEnds() {
    WatchLoop loop = start(false);
    last().watcher().opened();
    assertThat(loop.isOpen()).isTrue();
    last().watcher().data(frame("ADDED", "5", false));
    end(FakeApi.answer(200));
    assertThat(api.operations()).containsExactly("list pods", "watch pods", "watch pods");
    assertThat(lastPath()).contains("resourceVersion=5&");
  }

  /** 0.8 s and more, doubled each time up to half a minute and more. */
  @Test
  void pausesAfterFailuresGrow() {
    start(true);
    long before = timer.nanos();
    for (int i = 0; i < 8; i++) {
      int streams = api.streams().size();
      last().watcher().ended(Answer.none("cut"));
      while (api.streams().size() == streams) {
        timer.advance(Duration.ofMillis(100));
      }
      double seconds = (timer.nanos() - before) / 1e9;
      double base = Math.min(0.8 * (1 << i), 30);
      assertThat(seconds).as("pause %d", i).isBetween(base, 2 * base + 0.1);
      before = timer.nanos();
    }
  }

  @Test
  void aStoppedWatchStaysClosed() {
    WatchLoop loop = start(true);
    initial("10");
    loop.stop();
    assertThat(books.watching()).isZero();
    end(FakeApi.answer(200));
    assertThat(books.watching()).isZero();
    assertThat(api.streams()).hasSize(1);
  }

  @Test
  void framesThatEndAnywhereAreTheSameEvents() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(frame("ADDED", "1", false));
    all.writeBytes(frame("MODIFIED", "2".repeat(3_000), false));
    all.writeBytes(frame("BOOKMARK", "3", true));
    byte[] bytes = all.toByteArray();
    for (int step : new int[] {1, 2, 3, 5, 7, 64, 1_000, bytes.length}) {
      EventFrames frames = new EventFrames();
      StringBuilder seen = new StringBuilder();
      for (int at = 0; at < bytes.length; at += step) {
        frames.add(
            java.util.Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + step)),
            (type, object, size) ->
                seen.append(type).append(Kube.meta(object).version().length()).append(' '));
      }
      assertThat(seen).as("pieces of %d", step).hasToString("ADDED1 MODIFIED3000 BOOKMARK1 ");
    }
  }
}
