// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.Cleaner;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.lease.Lease;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jctools.queues.MpscArrayQueue;

/**
 * The one thread that changes the store. It takes commands from all event loops, carries out as
 * many as are there, shows the result to readers, then hands the answers back. In between it ends
 * leases whose time is over and frees what compaction put out of use.
 */
public final class StoreWriter implements AutoCloseable {
  /** Commands that may wait; more are refused, so that waiting is bounded. */
  private static final int MOST_WAITING = 1 << 16;

  private static final int BATCH = 512;
  private static final int CLEANING_STEPS = 256;
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Applier applier;
  private final RevisionPins pins;
  private final Cleaner cleaner;
  private final MpscArrayQueue<WriteCommand> queue = new MpscArrayQueue<>(MOST_WAITING);
  private final List<Lane> lanes = new CopyOnWriteArrayList<>();
  private final WriteCommand[] batch = new WriteCommand[BATCH];
  private final ProtoReader proto = new ProtoReader();
  private final ReverseWriter out = new ReverseWriter();
  private final Thread thread;
  private volatile boolean parked;
  private volatile boolean closed;

  StoreWriter(Applier applier, RevisionPins pins) {
    this.applier = applier;
    this.pins = pins;
    this.cleaner = new Cleaner(applier.keyspace());
    this.thread = Thread.ofPlatform().name("store-writer").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  void add(Lane lane) {
    lanes.add(lane);
  }

  /** Takes a command, or says no because too many wait. By any event loop. */
  boolean offer(WriteCommand command) {
    if (closed || !queue.offer(command)) {
      return false;
    }
    if (parked) {
      LockSupport.unpark(thread);
    }
    return true;
  }

  private void run() {
    while (!closed) {
      int taken = takeBatch();
      boolean expired = expireLeases();
      if (taken > 0 || expired) {
        show(taken);
      }
      boolean moreToClean = cleaner.clean(CLEANING_STEPS, this::oldestRead);
      if (taken == 0 && !moreToClean) {
        park();
      }
    }
  }

  private int takeBatch() {
    int taken = 0;
    while (taken < BATCH) {
      WriteCommand command = queue.relaxedPoll();
      if (command == null) {
        break;
      }
      command.apply(applier, proto, out);
      batch[taken++] = command;
    }
    return taken;
  }

  private boolean expireLeases() {
    long nowMs = applier.clockMs().getAsLong();
    boolean any = false;
    for (Lease lease = applier.leases().firstExpired(nowMs);
        lease != null;
        lease = applier.leases().firstExpired(nowMs)) {
      applier.executor().revoke(lease);
      any = true;
    }
    return any;
  }

  private void show(int taken) {
    applier.keyspace().publish();
    for (int i = 0; i < taken; i++) {
      batch[i].lane.done(batch[i]);
      batch[i] = null;
    }
    for (Lane lane : lanes) {
      lane.signal();
    }
  }

  /** What a long read uses, and what was not handed to every watcher that keeps up, must stay. */
  private long oldestRead() {
    long oldest = pins.oldest();
    for (Lane lane : lanes) {
      oldest = Math.min(oldest, lane.watches().oldestNeeded());
    }
    return oldest;
  }

  private void park() {
    parked = true;
    if (queue.isEmpty() && !closed) {
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
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
