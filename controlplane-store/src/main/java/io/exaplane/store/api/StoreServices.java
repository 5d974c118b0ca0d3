// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.api.slow.SlowRequests;
import io.exaplane.store.api.watch.WatchStatistics;
import io.exaplane.store.api.watch.WatchStream;
import io.exaplane.store.codec.ResponseCodec;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.kind.KeyClass;
import io.exaplane.store.core.kind.WriteAges;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.memory.EpochReclaimer;
import io.exaplane.store.journal.Journal;
import io.exaplane.store.move.MoveGate;
import io.exaplane.store.move.MoveStates;
import io.exaplane.store.wire.GrpcServices;
import io.exaplane.store.wire.GrpcStream;
import io.netty.channel.EventLoop;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** All services of a store, around one keyspace and its one writer. */
public final class StoreServices implements AutoCloseable {
  /**
   * Threads that read the keyspace beside the event loops: for snapshots, for maintenance, for the
   * sums of moves.
   */
  public static final int OTHER_READERS = 3;

  /**
   * A write that its disk has not answered for longer is told by probes: so long etcd's wait for an
   * answer that needs its disk.
   */
  public static final long DISK_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Ages for which metrics have the number of keys. */
  private static final long[] SHOWN_AGES_MS = {30_000, 60_000, 300_000, 1_800_000};

  /**
   * Limits and times.
   *
   * @param watchProgressMs how often watches that ask for it learn of progress
   * @param journalRetryMs after how long a journal that could not be written is tried again
   * @param portion how much of a long read is done at a time
   * @param watchGatherNanos events that come so soon after others wait for more
   * @param autoCompaction when to compact without being asked; of this store alone
   * @param budgets of requests and answers
   * @param slow is told of requests that take long
   * @param elidesPrevValues watches of kube-apiserver's caches get no values of versions before
   */
  public record Settings(
      int maxTxnOperations,
      int maxRequestBytes,
      long watchProgressMs,
      long journalRetryMs,
      Portion portion,
      long watchGatherNanos,
      AutoCompaction autoCompaction,
      boolean elidesPrevValues,
      MemoryBudgets budgets,
      SlowRequests slow) {}

  private final Keyspace keyspace;
  private final Journal journal;
  private final ResponseCodec codec;
  private final RevisionPins pins;
  private final StoreWriter writer;
  private final MaintenanceWorker worker;
  private final MaintenanceWorker sums;
  private final RememberedHashes hashes = new RememberedHashes();
  private final UsageScans usage;
  private final AnswerBudget answers;
  private final Identity identity;
  private final Settings settings;
  private final MoveGate gate;
  private final MoveWriter moves;

  /**
   * @param moves where moves of Kinds stand
   * @param clockMs time for leases, in milliseconds since 1970
   * @param background does a snapshot while the store goes on
   */
  public StoreServices(
      Keyspace keyspace,
      Leases leases,
      Journal journal,
      RevisionPins pins,
      MoveStates moves,
      Identity identity,
      Settings settings,
      LongSupplier clockMs,
      Consumer<Runnable> background) {
    this.keyspace = keyspace;
    this.journal = journal;
    this.pins = pins;
    this.codec = new ResponseCodec(keyspace.memory(), identity.clusterId(), identity.memberId());
    this.gate = new MoveGate(moves);
    this.answers = new AnswerBudget(settings.budgets().answerBytes());
    this.writer =
        new StoreWriter(
            Applier.of(keyspace, leases, pins, codec, clockMs, hashes, answers, gate),
            journal,
            settings.maxRequestBytes(),
            settings.budgets().waitingBytes(),
            settings.autoCompaction(),
            background,
            TimeUnit.MILLISECONDS.toNanos(settings.journalRetryMs()),
            settings.slow());
    this.moves = new MoveWriter(writer, moves);
    this.worker = new MaintenanceWorker("store-maintenance", keyspace.reclaimer().newReader());
    // Of its own: a backup may take minutes, and a switch waits for its sums.
    this.sums = new MaintenanceWorker("store-sums", keyspace.reclaimer().newReader());
    this.usage = new UsageScans(keyspace, worker, System::currentTimeMillis, System::nanoTime);
    this.identity = identity;
    this.settings = settings;
  }

  /** Starts the writer. */
  public void start() {
    writer.start();
  }

  /** Does what the writer has to do now, for a simulation that runs it without its thread. */
  boolean turn() {
    return writer.turn();
  }

  /** Compactions that were done because space was short. By who runs the writer. */
  long compactionsForSpace() {
    return writer.compactionsForSpace();
  }

  /** What the services keep for an event loop; made once for each. */
  public Lane newLane(EventLoop loop) {
    Lane lane =
        new Lane(
            loop,
            keyspace,
            codec,
            pins,
            answers,
            settings.portion(),
            settings.watchGatherNanos(),
            gate,
            settings.slow());
    writer.add(lane);
    return lane;
  }

  /**
   * How the store is doing, taken together by its threads. By any thread; completes exceptionally
   * while the writer can't write its journal.
   */
  public CompletableFuture<StoreStatistics> statistics() {
    List<CompletableFuture<WatchStatistics>> watches =
        writer.lanes().stream().map(Lane::watchStatistics).toList();
    return CompletableFuture.allOf(watches.toArray(CompletableFuture[]::new))
        .thenApply(_ -> watches.stream().map(CompletableFuture::join).toList())
        .thenCompose(this::statistics);
  }

  private CompletableFuture<StoreStatistics> statistics(List<WatchStatistics> watches) {
    CompletableFuture<StoreStatistics> taken = new CompletableFuture<>();
    if (!writer.inspect(applier -> taken.complete(statistics(applier, watches)))) {
      taken.completeExceptionally(StoreException.TOO_MANY_REQUESTS);
    }
    return taken;
  }

  /**
   * Who takes the space, as it was at most half a minute ago. By any thread; completes
   * exceptionally if too many wait for the whole store to be read.
   */
  public CompletableFuture<StoreUsage> usage() {
    return usage.ask();
  }

  /**
   * How many keys below a prefix were not written for so long; see {@link WriteAges#answer}. By any
   * thread; completes exceptionally if too many ask.
   */
  public CompletableFuture<Optional<WriteAges.Answer>> ages(String prefix, long[] agesMs) {
    CompletableFuture<Optional<WriteAges.Answer>> taken = new CompletableFuture<>();
    if (!writer.inspect(
        applier ->
            taken.complete(
                applier
                    .keyspace()
                    .space()
                    .classes()
                    .ages()
                    .answer(prefix, agesMs, applier.clockMs().getAsLong())))) {
      taken.completeExceptionally(StoreException.TOO_MANY_REQUESTS);
    }
    return taken;
  }

  private StoreStatistics statistics(Applier applier, List<WatchStatistics> watches) {
    Keyspace keys = applier.keyspace();
    return new StoreStatistics(
        journal.recovered(),
        keys.revision(),
        journal.durableRevision(),
        keys.compactedRevision(),
        keys.space().recordBytes(),
        keys.space().liveBytes(),
        keys.space().loadBytes(),
        keys.space().scopes().getFirst().reserveUsed(),
        writer.compactionsForSpace(),
        keys.records().takenBytes(),
        keys.space().indexBytes(),
        keys.space().limits(),
        keys.space().isFull(),
        keys.keptEvents(),
        applier.leases().size(),
        keys.space().classes().all().stream().map(counted -> kind(keys, counted)).toList(),
        keys.space().classes().prefixSpaces(),
        keys.space().classes().ages().answers(SHOWN_AGES_MS, applier.clockMs().getAsLong()),
        journal.syncTimes(),
        journal.logBytes(),
        writer.waiting(),
        writer.refused(),
        writer.work(applier),
        watches);
  }

  private static StoreStatistics.Kind kind(Keyspace keys, KeyClass counted) {
    return new StoreStatistics.Kind(
        counted.kind(),
        counted.rule().prefix(),
        Math.max(
            keys.compactedRevision(), keys.historyStarts().of(counted, keys.space().classes())),
        counted.keys(),
        counted.bytes(),
        counted.liveBytes(),
        counted.loadBytes(),
        counted.puts(),
        counted.deletes());
  }

  /** Requests that took long, since the start. By any thread. */
  public List<SlowRequests.Count> slowRequests() {
    return settings.slow().counts();
  }

  /** Whether the journal can't be written now, so that writes wait. By any thread. */
  public boolean isStalled() {
    return writer.isStalled();
  }

  /**
   * How long the write that is under way has waited for its disk, in nanoseconds; 0 if none is. By
   * any thread.
   */
  public long diskWaitNanos() {
    return writer.diskWait().nanos();
  }

  /** Whether what grows is refused for lack of space. By any thread. */
  public boolean isFull() {
    return writer.spaceAlarm().isFull();
  }

  /**
   * kube-apiserver's watch cache says that it is one, and looks only whether there was a before.
   */
  private boolean elidesValues(GrpcStream stream) {
    CharSequence source = stream.metadata("source");
    return settings.elidesPrevValues() && source != null && "cache".contentEquals(source);
  }

  /** What moves of Kinds change and ask. */
  public MoveWriter moves() {
    return moves;
  }

  /**
   * All that is asked of a store for moves of Kinds; made once.
   *
   * @param lane whose event loop reads the pages, asked for at the first of them
   */
  public StoreMoves moves(Supplier<Lane> lane) {
    return moves(lane, MoveReads.Bounds.of(settings.maxRequestBytes()), this::sum);
  }

  /** The same, with other bounds, and somebody else who adds up. */
  StoreMoves moves(
      Supplier<Lane> lane,
      MoveReads.Bounds bounds,
      Function<String, CompletableFuture<MoveSum>> adding) {
    return new StoreMoves(keyspace, moves, new MoveReads(lane, pins, bounds), adding);
  }

  /**
   * Ends early once the future is completed by somebody else, so that the next sum has its turn.
   */
  private CompletableFuture<MoveSum> sum(String prefix) {
    CompletableFuture<MoveSum> wanted = new CompletableFuture<>();
    try {
      sums.submit(epoch -> sum(prefix, epoch, wanted))
          .whenComplete(
              (sum, why) -> {
                if (why == null) {
                  wanted.complete(sum);
                } else {
                  wanted.completeExceptionally(why);
                }
              });
    } catch (StoreException e) {
      wanted.completeExceptionally(e);
    }
    return wanted;
  }

  /** By the thread of sums. */
  private MoveSum sum(String prefix, EpochReclaimer.Reader epoch, CompletableFuture<?> wanted) {
    try (PrefixSum sum = new PrefixSum(keyspace, pins, prefix, PrefixSum.PORTION)) {
      return sum.addUp(epoch, () -> !wanted.isDone() && !Thread.currentThread().isInterrupted());
    }
  }

  /** Number of this member, as etcd's clients see it. */
  public long memberId() {
    return identity.memberId();
  }

  /** Adds every method. */
  public void register(GrpcServices<Lane> services) {
    new KvService(writer, pins, settings.maxTxnOperations()).register(services);
    new LeaseService(writer).register(services);
    new MaintenanceService(writer, worker, pins, identity, hashes).register(services);
    new ClusterService(writer, identity).register(services);
    new LockService(writer).register(services);
    new HealthService(() -> isStalled() || diskWaitNanos() > DISK_PATIENCE_NANOS)
        .register(services);
    services.add(
        "/etcdserverpb.Watch/Watch",
        (stream, lane) ->
            new WatchStream(
                stream, lane.watches(), settings.watchProgressMs(), elidesValues(stream), gate));
  }

  @Override
  public void close() {
    try {
      worker.close();
      sums.close();
    } finally {
      writer.close();
    }
  }
}
