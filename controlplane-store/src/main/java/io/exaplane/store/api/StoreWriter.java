// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.api.slow.SlowRequests;
import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.Cleaner;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.journal.Journal;
import io.exaplane.store.move.MoveException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jctools.queues.MpscArrayQueue;

/**
 * The one thread that changes the store. It takes commands from all event loops, carries out as
 * many as are there, shows the result to readers, then hands the answers back. In between it ends
 * leases whose time is over, compacts when that is due and frees what compaction put out of use.
 *
 * <p>Longer than others: the order of one turn of the thread is what keeps answers behind the
 * journal.
 */
public final class StoreWriter implements AutoCloseable {
  /** Commands that may wait; more are refused, so that waiting is bounded. */
  private static final int MOST_WAITING = 1 << 16;

  private static final int MOST_INSPECTIONS = 64;
  private static final int BATCH = 512;

  /** A batch takes no further command when those in it have so many bytes. */
  private static final int BATCH_BYTES = 8 << 20;

  /** In a turn in which nothing changed. */
  private static final int CLEANING_STEPS = 256;

  /** In any turn: a millisecond or two. */
  private static final int MOST_CLEANING_STEPS = 1 << 14;

  /**
   * What a change costs the cleaner beside its walks: its segment is emptied, what is left moved.
   */
  private static final int STEPS_PER_CHANGE = 3;

  /** What etcd warns of. */
  private static final long SLOW_APPLY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private static final String CLOSED = "the store ends; ask again when it runs";

  private static final System.Logger LOG = System.getLogger(StoreWriter.class.getName());

  /** BSD's EX_SOFTWARE. */
  private static final int INTERNAL_ERROR = 70;

  private final Applier applier;
  private final Journal journal;
  private final Cleaner cleaner;
  private final MpscArrayQueue<WriteCommand> queue = new MpscArrayQueue<>(MOST_WAITING);
  private final MpscArrayQueue<Consumer<Applier>> inspections =
      new MpscArrayQueue<>(MOST_INSPECTIONS);
  private final WriterTasks tasks = new WriterTasks();
  private final List<Lane> lanes = new CopyOnWriteArrayList<>();
  private final WriteCommand[] batch = new WriteCommand[BATCH];
  private int batched;
  private final BlockedCommands blocked;
  private final LeaseTurns leaseTurns;

  private final ProtoReader proto = new ProtoReader();
  private final ReverseWriter out = new ReverseWriter();
  private final AtomicLong waitingBytes = new AtomicLong();
  private final int maxRequestBytes;
  private final long mostWaitingBytes;
  private final Thread thread;
  private final Consumer<Runnable> background;
  private final long retryNanos;
  private final Compactions compactions;
  private long cleanedFor;
  private long refused;
  private long slowApplies;
  private boolean roomMade;
  private volatile boolean parked;
  private volatile boolean closed;
  private volatile boolean stalled;
  private final DiskWait diskWait = new DiskWait(System::nanoTime);
  private final SpaceAlarm spaceAlarm;
  private final SlowRequests slow;

  /** When the last command was carried out, or this turn began. */
  private long stepNanos;

  /**
   * @param mostWaitingBytes of requests that may wait
   * @param background does a snapshot; the writer goes on meanwhile
   * @param retryNanos after how long a journal that could not be written is tried again
   * @param slow whose time it is by which commands are measured
   */
  StoreWriter(
      Applier applier,
      Journal journal,
      int maxRequestBytes,
      long mostWaitingBytes,
      AutoCompaction autoCompaction,
      Consumer<Runnable> background,
      long retryNanos,
      SlowRequests slow) {
    this.compactions = new Compactions(applier, autoCompaction);
    this.background = background;
    this.retryNanos = retryNanos;
    this.slow = slow;
    this.maxRequestBytes = maxRequestBytes;
    this.mostWaitingBytes = mostWaitingBytes;
    this.blocked = new BlockedCommands(mostWaitingBytes);
    this.applier = applier;
    this.spaceAlarm = new SpaceAlarm(applier.clockMs(), applier.keyspace().space()::fullLimits);
    this.journal = journal;
    this.cleaner = applier.keyspace().cleaner();
    this.leaseTurns = new LeaseTurns(applier);
    this.cleanedFor = applier.keyspace().eventCount();
    this.thread = Thread.ofPlatform().name("store-writer").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  void add(Lane lane) {
    lanes.add(lane);
  }

  /** The largest request that may be handed over. */
  int maxRequestBytes() {
    return maxRequestBytes;
  }

  /** Takes a command, or says no because too many wait. By any event loop. */
  boolean offer(WriteCommand command) {
    int bytes = command.requestBytes();
    if (closed || waitingBytes.addAndGet(bytes) > mostWaitingBytes || !queue.offer(command)) {
      waitingBytes.addAndGet(-bytes);
      return false;
    }
    if (parked) {
      LockSupport.unpark(thread);
    }
    return true;
  }

  /**
   * Has somebody look at the store when everything that was applied is shown, or says no because
   * too many want to. By any thread.
   */
  boolean inspect(Consumer<Applier> inspection) {
    boolean taken = !closed && inspections.offer(inspection);
    if (taken && parked) {
      LockSupport.unpark(thread);
    }
    return taken;
  }

  /** Has the store's own work done, see {@link WriterTasks}. By any thread. */
  <T> CompletableFuture<T> run(WriterTasks.Work<T> work) {
    CompletableFuture<T> result = tasks.add(work);
    if (closed) {
      tasks.refuse(CLOSED);
    } else if (parked) {
      LockSupport.unpark(thread);
    }
    return result;
  }

  /**
   * Makes all durable that is shown, but what is kept in memory only. The future fails with a
   * {@link MoveException} if the disk refuses. By any thread.
   */
  CompletableFuture<Void> force() {
    return run(
        _ -> {
          try {
            journal.force();
          } catch (IOException e) {
            throw new MoveException(
                503,
                "the journal can't be forced: %s; check the disk of the data folder, then ask again"
                    .formatted(e));
          }
          return null;
        });
  }

  /**
   * A failure that nobody foresaw may have come in the middle of a change: the process ends, and
   * starts again from its journal.
   */
  private void run() {
    try {
      work();
    } catch (Throwable e) {
      LOG.log(System.Logger.Level.ERROR, "the writing thread failed; the store ends", e);
      Runtime.getRuntime().halt(INTERNAL_ERROR);
    }
  }

  private void work() {
    while (!closed) {
      if (!turn()) {
        park();
      }
    }
  }

  /**
   * Does what there is to do now. By the thread, or by whoever runs the writer without it.
   *
   * @return whether there is more
   */
  boolean turn() {
    long began = slow.nanoTime();
    stepNanos = began;
    applier.tick();
    boolean taken = takeBatch();
    long applied = slow.nanoTime();
    slowApplies += applied - began > SLOW_APPLY_NANOS ? 1 : 0;
    boolean changed = leaseTurns.pass() | compactions.byTime() | roomMade;
    if (taken || changed) {
      if (!commit()) {
        return false;
      }
      show(applied);
      snapshot();
    }
    blocked.look(applier.keyspace(), applier.clockMs().getAsLong());
    inspections.drain(inspection -> inspection.accept(applier));
    boolean moreToClean = cleaner.clean(cleaningSteps(), this::oldestRead);
    if (spaceAlarm.isWatched()) {
      spaceAlarm.note(applier.keyspace().space().isFull());
    }
    roomMade = compactions.forSpaceNow();
    return taken || moreToClean || roomMade || blocked.hasDue() || !tasks.isEmpty();
  }

  /** So many that cleaning keeps up with changing, by however few turns. */
  private int cleaningSteps() {
    long changes = applier.keyspace().eventCount() - cleanedFor;
    cleanedFor += changes;
    long steps = CLEANING_STEPS + changes * (compactions.windows() + STEPS_PER_CHANGE);
    return (int) Math.min(steps, MOST_CLEANING_STEPS);
  }

  /** Carries out commands and says whether any. */
  private boolean takeBatch() {
    boolean any = runTask();
    resumeWaiting();
    any |= batched > 0;
    int bytes = 0;
    while (batched < BATCH && bytes < BATCH_BYTES) {
      WriteCommand command = queue.relaxedPoll();
      if (command == null) {
        break;
      }
      any = true;
      bytes += command.requestBytes();
      carryOut(command);
    }
    if (bytes > 0) {
      waitingBytes.addAndGet(-bytes);
    }
    return any;
  }

  private boolean runTask() {
    if (tasks.isEmpty()) {
      return false;
    }
    diskWait.begin(); // a move's state is a file
    tasks.run(applier);
    diskWait.end();
    journal.collect();
    stepNanos = slow.nanoTime();
    return true;
  }

  private void carryOut(WriteCommand command) {
    if (command.isWaiting()) {
      command.times().resumed(stepNanos);
    }
    command.apply(applier, proto, out);
    if (command.isWaiting() && blocked.isFull(command)) {
      command.giveUp(applier, proto, StoreException.TOO_MANY_REQUESTS);
    }
    journal.collect();
    long now = slow.nanoTime();
    command.times().applied(stepNanos, now);
    stepNanos = now;
    if (command.isWaiting()) {
      blocked.add(command);
    } else {
      batch[batched++] = command;
    }
  }

  private void resumeWaiting() {
    while (batched < BATCH && blocked.hasDue()) {
      carryOut(blocked.take());
    }
  }

  /**
   * Waits until what was done is as durable as it has to be. While the journal can't be written
   * nothing of it is shown, and new commands are refused.
   *
   * @return false if the store is closed before that
   */
  private boolean commit() {
    while (true) {
      try {
        diskWait.begin();
        journal.commit();
        diskWait.end();
        if (stalled) {
          stalled = false;
          LOG.log(
              System.Logger.Level.INFO, "the journal is writable again; the store accepts writes");
        }
        return true;
      } catch (IOException e) {
        diskWait.end();
        if (!stalled) {
          stalled = true;
          LOG.log(
              System.Logger.Level.ERROR,
              "the journal is not writable, and the store refuses writes until it is: {0}; check the disk of the data folder",
              e.toString());
        }
        refuseWaiting();
        LockSupport.parkNanos(this, retryNanos);
        if (closed) {
          return false;
        }
      }
    }
  }

  private void refuseWaiting() {
    for (WriteCommand command = queue.relaxedPoll();
        command != null;
        command = queue.relaxedPoll()) {
      waitingBytes.addAndGet(-command.requestBytes());
      command.refuse(StoreException.JOURNAL);
      refused++;
      command.lane.done(command);
    }
    tasks.refuse("the journal can't be written; check the disk of the data folder, then ask again");
    lanes.forEach(Lane::signal);
  }

  private void snapshot() {
    if (journal.wantsSnapshot()) {
      diskWait.begin();
      try {
        background.accept(journal.planSnapshot());
      } catch (IOException e) {
        LOG.log(
            System.Logger.Level.WARNING, "the store could not begin a snapshot: {0}", e.toString());
      } finally {
        diskWait.end();
      }
    }
  }

  private void show(long appliedNanos) {
    long durable = slow.nanoTime();
    applier.keyspace().publish();
    spaceAlarm.note(applier.keyspace().space().isFull());
    for (int i = 0; i < batched; i++) {
      batch[i].times().durable(appliedNanos, durable);
      batch[i].lane.done(batch[i]);
      batch[i] = null;
    }
    batched = 0;
    for (Lane lane : lanes) {
      lane.signal();
    }
    tasks.shown();
  }

  /** Whether the journal can't be written now. By any thread. */
  boolean isStalled() {
    return stalled;
  }

  /** What it did since the start. By the writer. */
  StoreStatistics.Work work(Applier of) {
    return new StoreStatistics.Work(slowApplies, leaseTurns.expired(), of.executor().rangesDone());
  }

  /** How long the disk has not answered. By any thread. */
  DiskWait diskWait() {
    return diskWait;
  }

  /** Compactions that were done because space was short. By the writer. */
  long compactionsForSpace() {
    return compactions.forSpace();
  }

  SpaceAlarm spaceAlarm() {
    return spaceAlarm;
  }

  /** Requests that wait to be taken. By any thread. */
  int waiting() {
    return queue.size();
  }

  /** Requests that were refused because the journal could not be written. By the writer. */
  long refused() {
    return refused;
  }

  List<Lane> lanes() {
    return lanes;
  }

  /** What a long read uses, and what was not handed to every watcher that keeps up, must stay. */
  private long oldestRead() {
    long oldest = applier.pins().oldest();
    for (Lane lane : lanes) {
      oldest = Math.min(oldest, lane.watches().oldestNeeded());
    }
    return oldest;
  }

  private void park() {
    parked = true;
    if (queue.isEmpty() && inspections.isEmpty() && tasks.isEmpty() && !closed) {
      LockSupport.parkNanos(this, IDLE_NANOS);
    }
    parked = false;
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    try {
      thread.join();
      tasks.end(CLOSED);
      journal.stopSnapshot();
      noteTime();
      journal.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "closing the journal failed: {0}", e.toString());
    }
  }

  /** A store that is stopped knows to the second how much time its leases have left. */
  private void noteTime() {
    if (leaseTurns.note()) {
      try {
        journal.commit();
      } catch (IOException e) {
        LOG.log(
            System.Logger.Level.WARNING,
            "the remaining times of leases were not written: {0}",
            e.toString());
      }
    }
  }
}
