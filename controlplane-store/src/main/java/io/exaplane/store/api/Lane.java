// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.api.slow.SlowRequest;
import io.exaplane.store.api.slow.SlowRequests;
import io.exaplane.store.api.watch.WatchHub;
import io.exaplane.store.api.watch.WatchStatistics;
import io.exaplane.store.codec.LargeValues;
import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.codec.ResponseCodec;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RangeReader;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.execute.RangeExecutor;
import io.exaplane.store.core.memory.EpochReclaimer;
import io.exaplane.store.core.request.RangeRequest;
import io.exaplane.store.core.result.RangeResult;
import io.exaplane.store.move.MoveGate;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jctools.queues.SpscUnboundedArrayQueue;

/**
 * What the services keep for one event loop. All of it belongs to that loop, but for {@link #done}
 * and {@link #signal}, by which the writer hands commands back.
 */
public final class Lane {
  private static final int QUEUE_CHUNK = 1024;

  /** Of commands that wait to be used again. */
  private static final int MOST_FREE_BYTES = 2 << 20;

  final Keyspace keyspace;
  final ResponseCodec codec;
  final EpochReclaimer.Reader reader;
  final RangeExecutor ranges;
  final RangeReader rangeReader;
  final RangeRequest rangeRequest = new RangeRequest();
  final RangeResult rangeResult = new RangeResult();
  final ProtoReader proto = new ProtoReader();
  final ReverseWriter out = new ReverseWriter();
  final LongReads longReads;
  final AnswerBudget answers;
  final MoveGate gate;
  private final SlowRequests slow;
  final LargeValues largeValues = new LargeValues();
  final Writers writers = Writers.logged();
  private final EventLoop loop;
  private final WatchHub watches;
  private final ArrayDeque<WriteCommand> free = new ArrayDeque<>();
  private final Queue<WriteCommand> done = new SpscUnboundedArrayQueue<>(QUEUE_CHUNK);
  private final AtomicBoolean signalled = new AtomicBoolean();
  private long shortRequests;
  private int freeBytes;

  Lane(
      EventLoop loop,
      Keyspace keyspace,
      ResponseCodec codec,
      RevisionPins pins,
      AnswerBudget answers,
      Portion portion,
      long watchGatherNanos,
      MoveGate gate,
      SlowRequests slow) {
    this.loop = loop;
    this.longReads = new LongReads(loop, portion, () -> keyspace.view().revision() + shortRequests);
    this.keyspace = keyspace;
    this.codec = codec;
    this.reader = keyspace.reclaimer().newReader();
    this.ranges = new RangeExecutor(keyspace);
    this.rangeReader = new RangeReader(keyspace);
    this.answers = answers;
    this.gate = gate;
    this.slow = slow;
    this.watches = new WatchHub(loop, keyspace, reader, codec, pins, longReads, watchGatherNanos);
  }

  public WatchHub watches() {
    return watches;
  }

  /** How the loop's watches are doing. By any thread. */
  CompletableFuture<WatchStatistics> watchStatistics() {
    return CompletableFuture.supplyAsync(watches::statistics, loop);
  }

  /** Ends the loop's watches of keys that are another store's now. By any thread. */
  CompletableFuture<Void> endWatches(KeyRange keys) {
    return CompletableFuture.runAsync(() -> watches.end(keys, StoreException.MOVED), loop);
  }

  /** Has the loop do something soon. By any thread; nothing happens if the loop ends before. */
  void execute(Runnable task) {
    if (!loop.isShuttingDown()) {
      loop.execute(task);
    }
  }

  /** Has the loop do something after a time. By the loop. */
  void after(long ms, Runnable task) {
    loop.schedule(task, ms, TimeUnit.MILLISECONDS);
  }

  /** The loop's own time. By the loop. */
  long nanoTime() {
    return loop.ticker().nanoTime();
  }

  SlowRequests slow() {
    return slow;
  }

  /** Counts a request that took long, and writes it into the log. By the loop. */
  void tellIfSlow(SlowRequest request) {
    slow.add(request, this::after);
  }

  /** Somebody asks for little, and may ask again: {@link LongReads} make room. */
  void countShortRequest() {
    shortRequests++;
  }

  /** A command to be filled; it comes back when it was answered. */
  WriteCommand take() {
    countShortRequest();
    WriteCommand command = free.poll();
    if (command == null) {
      return new WriteCommand(this);
    }
    freeBytes -= command.keptBytes();
    return command;
  }

  void giveBack(WriteCommand command) {
    if (freeBytes + command.keptBytes() <= MOST_FREE_BYTES) {
      freeBytes += command.keptBytes();
      free.add(command);
    }
  }

  /** A command that was carried out and may be answered. By the writer. */
  void done(WriteCommand command) {
    done.add(command);
  }

  /** Has the loop look for what is done and what is new. By the writer. */
  void signal() {
    if (signalled.compareAndSet(false, true) && !loop.isShuttingDown()) {
      loop.execute(this::look);
    }
  }

  private void look() {
    signalled.set(false);
    long now = slow.nanoTime();
    for (WriteCommand command = done.poll(); command != null; command = done.poll()) {
      command.answer(now);
      giveBack(command);
    }
    watches.dispatchSoon();
  }
}
