// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.reshard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/** Writers of a Kind, half of them at each kube-apiserver. Used by one thread. */
final class Load {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int SHARED = 4;
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final long POLL_MS = 50;
  private static final long SECOND_NANOS = 1_000_000_000L;

  final Tally tally = new Tally();
  private final Kind kind;
  private final ApiServer apiServer;
  private final int perSecond;
  private final List<Writer> writers = new ArrayList<>();
  private final List<String> shared = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean isStopped;

  private Load(Kind kind, ApiServer apiServer, int perSecond) {
    this.kind = kind;
    this.apiServer = apiServer;
    this.perSecond = perSecond;
  }

  /**
   * Starts writing.
   *
   * @param name of all its objects' begin
   * @param perSecond writes of all clients together
   */
  static Load start(String name, Kind kind, List<ApiServer> servers, int clients, int perSecond)
      throws Exception {
    Load load = new Load(kind, servers.getFirst(), perSecond);
    for (int i = 0; i < SHARED; i++) {
      String object = "%s-%s-shared-%d".formatted(kind.plural, name, i);
      HttpResponse<String> made =
          servers.getFirst().ask("POST", kind.path(), kind.manifest(object, ""));
      assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
      load.shared.add(object);
    }
    for (int i = 0; i < clients; i++) {
      load.writers.add(
          new Writer(
              name + "-" + i,
              kind,
              servers.get(i % servers.size()),
              servers.get((i + 1) % servers.size()),
              load.shared,
              load.tally));
    }
    long periodNanos = SECOND_NANOS * clients / perSecond;
    load.writers.forEach(
        writer -> load.threads.add(Thread.ofVirtual().start(() -> load.run(writer, periodNanos))));
    return load;
  }

  /** Steps at a pace. What a client could not do in time it does not make up for. */
  private void run(Writer writer, long periodNanos) {
    long next = System.nanoTime();
    try {
      while (!isStopped) {
        writer.step();
        next = Math.max(next + periodNanos, System.nanoTime());
        LockSupport.parkNanos(next - System.nanoTime());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      tally.violated("a writer was interrupted");
    } catch (RuntimeException | Error e) {
      tally.violated("a writer ended: " + e);
    }
  }

  /** Waits for as many writes as there should be in a time. */
  void awaitWrites(Duration time) throws InterruptedException {
    long wanted = tally.writes.successes() + perSecond * time.toSeconds();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (tally.writes.successes() < wanted) {
      assertThat(System.nanoTime()).as(tally.toString()).isLessThan(deadline);
      Thread.sleep(POLL_MS);
    }
  }

  /** Ends all writers, each after its request. */
  void stop() throws InterruptedException {
    isStopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** After the end: holds what a server has to the books of all clients. */
  void check() throws Exception {
    HttpResponse<String> answer = apiServer.list(kind.path());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    Map<String, Held> there = new TreeMap<>();
    for (JsonNode item : JSON.readTree(answer.body()).path("items")) {
      there.put(item.at("/metadata/name").asText(), Held.of(item.toString()));
    }
    for (Writer writer : writers) {
      writer.book().forEach((name, held) -> check(name, held, there.remove(name)));
    }
    for (String name : shared) {
      Held held = there.remove(name);
      tally.checkShared(name, held == null ? -1 : held.number());
    }
    String mine = shared.getFirst().replaceFirst("shared-0$", "");
    there.keySet().stream()
        .filter(name -> name.startsWith(mine))
        .forEach(name -> tally.violated(name + " is there, and its client deleted it"));
    assertThat(tally.violations()).as(tally.toString()).isEmpty();
  }

  private void check(String name, Held known, Held found) {
    if (found == null) {
      tally.violated(name + " was acknowledged, and is not there");
    } else if (found.number() != known.number()
        && !(known.isInDoubt() && found.number() == known.number() + 1)) {
      tally.violated(
          "%s is at %d, and %d was acknowledged".formatted(name, found.number(), known.number()));
    }
  }
}
