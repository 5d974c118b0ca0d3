// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import io.exaplane.cli.measure.MeasurementException;
import io.exaplane.tuning.model.InvalidInputException;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A server by a bounded number of HTTP/2 connections, which all simulated clients share. Each
 * connection keeps some streams free for requests, however many watches there are. Thread-safe.
 */
final class Connections implements Api, AutoCloseable {
  /** Streams of each connection that watches leave to requests. */
  private static final int KEPT = 10;

  private static final int FEWEST = 4;
  private static final int MOST = 10_000;
  private static final int MOST_THREADS = 4;
  private static final long PATIENCE_SECONDS = 15;

  private final Server server;
  private final Books books;
  private final Timer timer;
  private final NioEventLoopGroup loops =
      new NioEventLoopGroup(Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors()));
  private final AtomicInteger turn = new AtomicInteger();
  private volatile List<Slot> slots = List.of();
  private int watchesEach;

  /** A connection and how many watches it has. */
  private record Slot(Link link, AtomicInteger watches) {}

  Connections(Server server, Books books, Timer timer) {
    this.server = server;
    this.books = books;
    this.timer = timer;
  }

  /**
   * Connects once, asks how many streams a connection may have, and plans the connections.
   *
   * @param wanted connections; 0 for as many as needed
   * @param watches that will be open at the same time
   * @throws MeasurementException if the server does not answer
   * @throws InvalidInputException if the watches do not fit into the wanted connections
   */
  void plan(int wanted, long watches) {
    Link first = new Link(server, loops.next());
    watchesEach = Math.max(1, limit(first) - KEPT);
    long needed = (watches + watchesEach - 1) / watchesEach;
    if (wanted > 0 && needed > wanted) {
      throw new InvalidInputException(
          "connections",
          Integer.toString(wanted),
          "must be at least %d for %,d watches: the server allows %d streams on a connection"
              .formatted(needed, watches, watchesEach + KEPT),
          "set --connections %d, or fewer watches".formatted(needed));
    }
    if (needed > MOST) {
      first.close();
      throw new InvalidInputException(
          "connections",
          Integer.toString(wanted),
          "would be %,d for %,d watches, more than %,d: the server allows %d streams on each"
              .formatted(needed, watches, MOST, watchesEach + KEPT),
          "use fewer nodes or watches, or several processes");
    }
    int count = wanted > 0 ? wanted : (int) Math.max(FEWEST, needed);
    List<Slot> all = new ArrayList<>();
    all.add(new Slot(first, new AtomicInteger()));
    while (all.size() < count) {
      all.add(new Slot(new Link(server, loops.next()), new AtomicInteger()));
    }
    slots = List.copyOf(all);
  }

  private int limit(Link link) {
    Future<Integer> limit = link.limit();
    if (!limit.awaitUninterruptibly(PATIENCE_SECONDS, TimeUnit.SECONDS) || !limit.isSuccess()) {
      throw new MeasurementException(
          "%s does not answer (%s); check --kubeconfig and --context"
              .formatted(
                  server.url(),
                  limit.isDone()
                      ? String.valueOf(limit.cause().getMessage())
                      : "no settings of HTTP/2 within %d s".formatted(PATIENCE_SECONDS)));
    }
    return limit.getNow();
  }

  int count() {
    return slots.size();
  }

  @Override
  public void send(Call call, Consumer<Answer> then) {
    List<Slot> all = slots;
    Slot slot = all.get(Math.floorMod(turn.getAndIncrement(), all.size()));
    slot.link().start(Exchange.request(call, books, timer, then));
  }

  @Override
  public Runnable open(Call call, Watcher watcher) {
    List<Slot> all = slots;
    int from = turn.getAndIncrement();
    for (int i = 0; i < all.size(); i++) {
      Slot slot = all.get(Math.floorMod(from + i, all.size()));
      if (slot.watches().incrementAndGet() <= watchesEach) {
        Exchange exchange =
            Exchange.stream(call, books, watcher, () -> slot.watches().decrementAndGet());
        slot.link().start(exchange);
        return () -> slot.link().abandon(exchange);
      }
      slot.watches().decrementAndGet();
    }
    watcher.ended(Answer.none("all %d connections are full of watches".formatted(all.size())));
    return () -> {};
  }

  @Override
  public void close() {
    if (loops.isShuttingDown()) {
      return;
    }
    slots.forEach(slot -> slot.link().close());
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
  }
}
