// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.api.slow.SlowRequests;
import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.LoadCount;
import io.exaplane.store.core.RangeReader;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.SpaceLimits;
import io.exaplane.store.core.View;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.memory.EpochReclaimer;
import io.exaplane.store.core.memory.KeyValues;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.core.memory.Region;
import io.exaplane.store.journal.Attempts.Target;
import io.exaplane.store.journal.Journal;
import io.exaplane.store.journal.MemberIds;
import io.exaplane.store.journal.SimulatedStorage;
import io.exaplane.store.journal.SmallJournal;
import io.exaplane.store.move.MoveStates;
import io.exaplane.store.wire.GrpcMethod;
import io.exaplane.store.wire.GrpcServices;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The services of a store with everything that runs by itself taken out of them: threads, clocks
 * and disk are whoever runs the simulation. One life, from a start to a crash.
 */
public final class SimulatedStore implements AutoCloseable {
  private static final int LOOPS = 2;
  private static final int MOST_THREADS = 3;
  private static final int SMALL_SEGMENT_SHIFT = 13;
  private static final long PROGRESS_MS = 1000;
  private static final long GATHER_NANOS = 1000;

  /** Events wait for a few turns. */
  private static final long TURN_NANOS = GATHER_NANOS / 3;

  private static final Portion PORTION = new Portion(3, 100);
  private static final MoveReads.Bounds BOUNDS = new MoveReads.Bounds(250, 100_000);

  private final Region region;
  private final Leases leases;
  private final Keyspace keyspace;
  private static final SlowRequests NOTHING_IS_SLOW =
      new SlowRequests(0, System::nanoTime, _ -> {});

  private final RevisionPins pins;
  private final StoreServices services;
  private final GrpcServices<Lane> methods =
      new GrpcServices<>(new GrpcServices.Limits(1 << 20, 0, 1 << 30, 1 << 30, 1 << 30, 1 << 30));
  private final List<EmbeddedChannel> loops = new ArrayList<>();
  private final List<Lane> lanes = new ArrayList<>();
  private final Queue<Runnable> background = new ConcurrentLinkedQueue<>();
  private final StoreMoves storeMoves;
  private final EpochReclaimer.Reader adding;
  private final Queue<Adding> sums = new ArrayDeque<>();

  private record Adding(PrefixSum sum, CompletableFuture<MoveSum> to) {}

  /** Takes the changes that a store shows; the value of a deletion is null. */
  public interface ChangeVisitor {
    void change(String key, String value, long mod);
  }

  /** Starts it with what the storage holds. */
  public SimulatedStore(
      SimulatedStorage storage, KeyClasses classes, LongSupplier clockMs, Random random)
      throws IOException {
    this(storage, classes, SpaceLimits.NONE, clockMs, random);
  }

  /** Starts one that is full some time. */
  public SimulatedStore(
      SimulatedStorage storage,
      KeyClasses classes,
      SpaceLimits limits,
      LongSupplier clockMs,
      Random random)
      throws IOException {
    this(storage, classes, limits, clockMs, random, NOTHING_IS_SLOW);
  }

  /** Starts one that tells of slow requests. */
  public SimulatedStore(
      SimulatedStorage storage,
      KeyClasses classes,
      SpaceLimits limits,
      LongSupplier clockMs,
      Random random,
      SlowRequests slow)
      throws IOException {
    SmallJournal.Opened opened =
        SmallJournal.open(storage, 0, () -> empty(classes, limits, random));
    region = opened.region();
    leases = opened.leases();
    keyspace = opened.keyspace();
    Journal journal = opened.journal();
    pins = opened.pins();
    leases.extend(clockMs.getAsLong(), 1000);
    keyspace.publish();
    services =
        new StoreServices(
            keyspace,
            leases,
            journal,
            pins,
            MoveStates.open(storage, new MemberIds(0, 0)),
            new Identity(1, 1, "simulated", List.of(), "3.7.3"),
            new StoreServices.Settings(
                128,
                1 << 20,
                PROGRESS_MS,
                0,
                PORTION,
                GATHER_NANOS,
                AutoCompaction.never(),
                false,
                new MemoryBudgets(1 << 20, 1 << 20),
                slow),
            clockMs,
            background::add);
    services.register(methods);
    for (int i = 0; i < LOOPS; i++) {
      EmbeddedChannel loop = new EmbeddedChannel();
      loop.freezeTime();
      loops.add(loop);
      lanes.add(services.newLane(loop.eventLoop()));
    }
    adding = keyspace.reclaimer().newReader();
    storeMoves = services.moves(lanes::getFirst, BOUNDS, this::sum);
  }

  private CompletableFuture<MoveSum> sum(String prefix) {
    CompletableFuture<MoveSum> to = new CompletableFuture<>();
    sums.add(new Adding(new PrefixSum(keyspace, pins, prefix, PORTION), to));
    return to;
  }

  /** The sum that was asked for first goes on by a portion. */
  public void addUp() {
    Adding first = sums.peek();
    if (first != null && first.sum().goOn(adding)) {
      sums.remove();
      first.sum().close();
      first.to().complete(first.sum().end());
    }
  }

  /** What moves of Kinds ask; pages have a few keys. */
  public StoreMoves storeMoves() {
    return storeMoves;
  }

  /** The newest revision that readers may see. */
  public long shownRevision() {
    return keyspace.view().revision();
  }

  /** The changes of keys with a prefix that were shown after a revision, in order. */
  public void forEachChange(String prefix, long after, ChangeVisitor visitor) {
    RangeReader reader = new RangeReader(keyspace);
    View view = keyspace.view();
    KeyRange range = MoveStates.keys(prefix);
    MemorySegment memory = keyspace.memory();
    for (long at = reader.firstEventFrom(view, after + 1); at < view.events(); at++) {
      long event = reader.event(at);
      if (range.contains(memory, event)) {
        visitor.change(
            new String(Records.copyKey(memory, event), StandardCharsets.ISO_8859_1),
            Records.isTombstone(memory, event)
                ? null
                : new String(KeyValues.copyValue(memory, event), StandardCharsets.ISO_8859_1),
            Records.modRevision(memory, event));
      }
    }
  }

  private static Target empty(KeyClasses classes, SpaceLimits limits, Random random) {
    Region region = Region.reserve(16 << 20, SMALL_SEGMENT_SHIFT);
    Leases leases = new Leases(random::nextLong);
    int readers = LOOPS + MOST_THREADS + StoreServices.OTHER_READERS + 1; // who adds up
    return new Target(
        region, leases, new Keyspace(region, leases, classes, limits, random.nextLong(), readers));
  }

  /** A lane on a thread of its own, as in a process, for {@link #start}; at most three. */
  public Lane laneOn(EventLoop thread) {
    return services.newLane(thread);
  }

  /** The writer gets its thread, instead of turns, until {@link #stop}. */
  public void start() {
    services.start();
  }

  /** Nobody may ask for anything any more; a snapshot that was begun is written. */
  public void stop() {
    snapshot();
    services.close();
  }

  public int loops() {
    return LOOPS;
  }

  public EventLoop loop(int index) {
    return loops.get(index).eventLoop();
  }

  /** The lane of an event loop, for {@link GrpcMethod#open}. */
  public Lane lane(int index) {
    return lanes.get(index);
  }

  public GrpcMethod<Lane> method(String path) {
    return methods.method(path);
  }

  /** What moves of Kinds change. */
  public MoveWriter moves() {
    return services.moves();
  }

  /** The newest revision, shown or not. */
  public long revision() {
    return keyspace.revision();
  }

  /** Changes that a watch may still start from. */
  public long keptEvents() {
    return keyspace.keptEvents();
  }

  /** Compactions that were done because space was short. */
  public long compactionsForSpace() {
    return services.compactionsForSpace();
  }

  /** How long the disk has not answered. */
  public long diskWaitNanos() {
    return services.diskWaitNanos();
  }

  /** The writer does what there is to do. */
  public void turn() {
    services.turn();
  }

  /** An event loop has a turn, in which a long read goes on by a portion. */
  public void run(int loop) {
    loops.get(loop).advanceTimeBy(TURN_NANOS, TimeUnit.NANOSECONDS);
    loops.get(loop).runPendingTasks();
  }

  /** An event loop does all there is to do. */
  public void runToEnd(int loop) {
    // What is gathered, or rests for as long as a turn took, is due by then.
    for (int quietTurns = 0; quietTurns < 3; quietTurns++) {
      loops.get(loop).advanceTimeBy(GATHER_NANOS, TimeUnit.NANOSECONDS);
      while (loops.get(loop).hasPendingTasks()) {
        run(loop);
        quietTurns = 0;
      }
    }
  }

  /** Time goes on for the event loops. */
  public void advance(long ms) {
    for (int i = 0; i < loops.size(); i++) {
      runToEnd(i);
      loops.get(i).advanceTimeBy(ms, TimeUnit.MILLISECONDS);
      loops.get(i).runScheduledPendingTasks();
    }
  }

  /** A snapshot that was begun is written. */
  public void snapshot() {
    Runnable next = background.poll();
    if (next != null) {
      next.run();
    }
  }

  /** A lease is forgotten that has keys, as no store should. */
  public void loseLease() {
    leases.states().stream()
        .map(state -> leases.get(state.id()))
        .filter(lease -> lease.slotArray().length > 0)
        .findFirst()
        .ifPresent(leases::remove);
  }

  @Override
  public void close() {
    LoadCount.require(keyspace);
    region.close();
  }
}
