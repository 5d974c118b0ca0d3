// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.api.Lane;
import io.exaplane.store.api.SimulatedStore;
import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.journal.SimulatedStorage;
import io.exaplane.store.wire.GrpcListener;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A store with the threads that a process has: watches begin and end while others write. */
class SharedStoreTest {
  private static final int LEAST_WRITES = 2_000;

  /** Watches of each client that begin and end while others write. */
  private static final int ENDED = 20;

  private static final int UNDER_WAY = 8;
  private static final int COMPACT_EVERY = 500;
  private static final int HISTORY = 200;
  private static final int EVENTS_OF_A_WATCH = 40;
  private static final int WATCHES = 4;
  private static final String ALL = "\0";

  private final Random random = new Random(1);
  private final List<EventLoop> threads =
      IntStream.range(0, 3).<EventLoop>mapToObj(_ -> new DefaultEventLoop()).toList();
  private final CompletableFuture<Void> written = new CompletableFuture<>();
  private SimulatedStore store;
  private volatile long newest = 1;

  /** How many writes there are, once enough watches began and ended. */
  private volatile int writes = Integer.MAX_VALUE;

  @Test
  @Timeout(120)
  void watchesThatBeginWhileOthersWriteMissNothing() throws Exception {
    store = new SimulatedStore(new SimulatedStorage(random), KeyClasses.plain(), () -> 1, random);
    List<Lane> lanes = threads.stream().map(store::laneOn).toList();
    store.start();
    try {
      List<Watches> clients =
          List.of(
              new Watches(threads.get(1), lanes.get(1)), new Watches(threads.get(2), lanes.get(2)));
      clients.forEach(client -> client.loop.execute(client::begin));
      Writer writer = new Writer(threads.get(0), lanes.get(0), clients);
      threads.get(0).execute(writer::begin);
      written.get(60, TimeUnit.SECONDS);
      for (Watches client : clients) {
        client.done.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.forEach(thread -> thread.shutdownGracefully(0, 0, TimeUnit.SECONDS));
      for (EventLoop thread : threads) {
        thread.terminationFuture().sync();
      }
      store.stop();
      store.close();
    }
  }

  /** Writes one revision after the other, a few at once. Belongs to its loop. */
  private final class Writer {
    private final EventLoop loop;
    private final Lane lane;
    private final List<Watches> clients;
    private int sent;
    private int answered;

    Writer(EventLoop loop, Lane lane, List<Watches> clients) {
      this.loop = loop;
      this.lane = lane;
      this.clients = clients;
    }

    void begin() {
      for (int i = 0; i < UNDER_WAY; i++) {
        next();
      }
    }

    private void next() {
      if (sent < writes) {
        if (sent >= LEAST_WRITES && clients.stream().allMatch(client -> client.ended > ENDED)) {
          writes = sent + 1;
        }
        String key = "/" + sent++ % 50;
        send(new Op(Op.Kind.PUT, List.of(key), "", "v", 0, 0, 0), this::answered);
        if (sent % COMPACT_EVERY == 0) {
          long at = newest - HISTORY;
          send(new Op(Op.Kind.COMPACT, List.of(""), "", "", 0, at, 0), _ -> {});
        }
      }
    }

    private void send(Op op, java.util.function.Consumer<byte[]> answer) {
      SimulatedCall call = new SimulatedCall(loop, answer, written::completeExceptionally);
      byte[] request = op.encode();
      store.method(op.kind.path).open(call, lane).message(request, 0, request.length);
    }

    private void answered(byte[] answer) {
      newest = Answer.simple(new ProtoReader().open(answer, 0, answer.length)).revision;
      if (++answered == writes) {
        written.complete(null);
      }
      next();
    }
  }

  /** A client that begins a watch whenever one has seen enough. Belongs to its loop. */
  private final class Watches {
    final EventLoop loop;
    final CompletableFuture<Void> done = new CompletableFuture<>();
    volatile int ended;
    private final Lane lane;
    private final Map<Long, Long> expected = new HashMap<>();
    private final Map<Long, Integer> seen = new HashMap<>();
    private final Random chance = new Random(2);
    private GrpcListener stream;
    private long nextId;

    Watches(EventLoop loop, Lane lane) {
      this.loop = loop;
      this.lane = lane;
    }

    void begin() {
      SimulatedCall call = new SimulatedCall(loop, this::response, done::completeExceptionally);
      stream = store.method("/etcdserverpb.Watch/Watch").open(call, lane);
      for (int i = 0; i < WATCHES; i++) {
        watch();
      }
    }

    private void watch() {
      long from = chance.nextBoolean() ? 0 : Math.max(2, newest - chance.nextInt(HISTORY / 2));
      long id = ++nextId;
      expected.put(id, from);
      ReverseWriter out = new ReverseWriter();
      out.number(7, id);
      out.number(3, from);
      Op.bytes(out, 2, ALL);
      Op.bytes(out, 1, ALL);
      out.message(1, 0);
      stream.message(out.array(), out.start(), out.length());
    }

    private void response(byte[] bytes) {
      try {
        check(Answer.watch(new ProtoReader().open(bytes, 0, bytes.length)));
      } catch (AssertionError e) {
        done.completeExceptionally(e);
      }
    }

    private void check(Answer.Watch response) {
      long id = response.id();
      if (response.created()) {
        expected.computeIfPresent(id, (_, from) -> from == 0 ? response.revision() + 1 : from);
      }
      if (response.canceled() && expected.containsKey(id)) {
        // This thread had to wait for so long that the watch's beginning was compacted.
        assertThat(response.compactRevision()).as("ended").isGreaterThan(expected.get(id));
        expected.remove(id);
        seen.remove(id);
        loop.execute(this::watch);
      }
      for (Answer.Event event : response.events()) {
        if (expected.containsKey(id)) {
          assertThat(event.now().mod()).as("watch %d", id).isEqualTo(expected.get(id));
          expected.merge(id, 1L, Long::sum);
          seen.merge(id, 1, Integer::sum);
        }
      }
      if (seen.getOrDefault(id, 0) > EVENTS_OF_A_WATCH && expected.get(id) <= writes) {
        expected.remove(id);
        seen.remove(id);
        ended++;
        loop.execute(() -> replace(id));
      }
      List<Long> next = new ArrayList<>(expected.values());
      // Revision 1 is that of the empty store.
      if (!next.isEmpty() && next.stream().allMatch(revision -> revision == writes + 2L)) {
        done.complete(null);
      }
    }

    private void replace(long id) {
      ReverseWriter out = new ReverseWriter();
      out.number(1, id);
      out.message(2, 0);
      stream.message(out.array(), out.start(), out.length());
      watch();
    }
  }
}
