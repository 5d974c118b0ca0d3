// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.watch;

import io.exaplane.store.api.Refusals;
import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.move.MoveGate;
import io.exaplane.store.wire.GrpcListener;
import io.exaplane.store.wire.GrpcStream;
import io.netty.util.concurrent.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.agrona.collections.Long2ObjectHashMap;

/** One call of etcdserverpb.Watch/Watch: the watches of a client that share it. */
public final class WatchStream implements GrpcListener {
  private static final String DUPLICATE_ID = "mvcc: duplicate watch ID provided on the WatchStream";
  private static final String EMPTY_RANGE = "mvcc: watcher range is empty";

  /** Answers to requests of the client, who may send more than it reads. */
  private static final int MOST_BEHIND_LARGE = 10_000;

  private final GrpcStream stream;
  private final WatchHub hub;
  private final ProtoReader in = new ProtoReader();
  private final WatchCreateRequest create = new WatchCreateRequest();
  private final Long2ObjectHashMap<Watcher> watchers = new Long2ObjectHashMap<>();
  private final Future<?> ticks;
  private final boolean elidesValues;
  private final MoveGate gate;
  private boolean isRefused;
  private long nextId;
  private LargeRevision large;

  /** What is to be said when the large response is out. */
  private final ArrayDeque<byte[]> behindLarge = new ArrayDeque<>();

  /**
   * @param progressMs how often watches that ask for it learn of progress
   * @param elidesValues a PUT's event has the version before without its value
   * @param gate asked before a watch begins
   */
  public WatchStream(
      GrpcStream stream, WatchHub hub, long progressMs, boolean elidesValues, MoveGate gate) {
    this.gate = gate;
    this.stream = stream;
    this.elidesValues = elidesValues;
    this.hub = hub;
    hub.streamOpened(this);
    // With jitter, so that streams that began together do not tick together.
    long periodMs = progressMs + ThreadLocalRandom.current().nextLong(progressMs / 10 + 1);
    ticks = hub.loop().scheduleAtFixedRate(this::tick, periodMs, periodMs, TimeUnit.MILLISECONDS);
  }

  boolean elidesValues() {
    return elidesValues;
  }

  /** Whether events can be sent. */
  boolean isWritable() {
    return large == null && stream.isWritable();
  }

  /** Whether a part of the large response can be sent. */
  boolean takesBytes() {
    return stream.isOpen() && stream.isWritable();
  }

  WatchHub hub() {
    return hub;
  }

  boolean has(Watcher watcher) {
    return watchers.get(watcher.id) == watcher;
  }

  void send(byte[] array, int offset, int length) {
    if (large == null) {
      stream.send(array, offset, length);
    } else if (behindLarge.size() < MOST_BEHIND_LARGE) {
      behindLarge.add(Arrays.copyOfRange(array, offset, offset + length));
    } else {
      fail(StoreException.TOO_MANY_REQUESTS);
    }
  }

  /** Begins a response that comes in parts; what else there is to be said waits for its end. */
  void begin(LargeRevision response, long bytes) {
    large = response;
    stream.begin(bytes);
    response.wake();
  }

  void part(byte[] array, int offset, int length) {
    stream.part(array, offset, length);
  }

  void largeIsOut() {
    large = null;
    while (!behindLarge.isEmpty()) {
      byte[] response = behindLarge.poll();
      stream.send(response, 0, response.length);
    }
    writable();
  }

  void fail(StoreException why) {
    stream.fail(why);
  }

  /** Whether there is a watch of nothing but these keys. */
  boolean watches(KeyRange keys) {
    return watchers.values().stream().anyMatch(watcher -> keys.holds(watcher.range));
  }

  /** Ends the call, with all of its watches. */
  void end(StoreException why) {
    Refusals.end(stream, why);
  }

  @Override
  public void message(byte[] array, int offset, int length) {
    if (isRefused) {
      return; // the call ends soon
    }
    try {
      in.open(array, offset, length);
      for (int field = in.field(); field != 0; field = in.field()) {
        if (field > 3) {
          in.skip();
          continue;
        }
        int outer = in.enter();
        switch (field) {
          case 1 -> create();
          case 2 -> cancel();
          default -> progress();
        }
        in.leave(outer);
      }
    } catch (StoreException e) {
      isRefused = true;
      Refusals.fail(stream, e);
    }
  }

  private void create() {
    create.read(in);
    gate.pass(create.range());
    // Those that keep up have seen everything up to the revision that is told now.
    hub.dispatchBeforeAdding();
    WatchSender sender = hub.sender();
    if (create.startRevision < 0) {
      sender.refused(this, hub.revision(), StoreException.COMPACTED.getMessage());
    } else if (create.watchId != 0 && watchers.containsKey(create.watchId)) {
      sender.refused(this, hub.revision(), DUPLICATE_ID);
    } else if (create.range().isEmpty()) {
      sender.refused(this, hub.revision(), EMPTY_RANGE);
    } else {
      long min = create.startRevision == 0 ? hub.revision() + 1 : create.startRevision;
      Watcher watcher = new Watcher(this, id(), create, min);
      watchers.put(watcher.id, watcher);
      sender.created(this, watcher.id, hub.revision());
      hub.add(watcher);
    }
  }

  private long id() {
    if (create.watchId != 0) {
      return create.watchId;
    }
    while (watchers.containsKey(nextId)) {
      nextId++;
    }
    return nextId++;
  }

  private void cancel() {
    long id = in.numberOf(1);
    Watcher watcher = watchers.remove(id);
    if (watcher != null) {
      hub.remove(watcher);
      hub.sender().canceled(this, id, hub.revision(), 0);
    }
  }

  /** A watcher whose next event was compacted away. */
  void compacted(Watcher watcher, long compactRevision) {
    watchers.remove(watcher.id);
    hub.remove(watcher);
    hub.sender().canceled(this, watcher.id, hub.revision(), compactRevision);
  }

  /**
   * Told once for all watches, when all have seen everything; else the client asks again. Without a
   * watch there is nothing to tell.
   */
  private void progress() {
    while (in.field() != 0) {
      in.skip();
    }
    hub.dispatch();
    for (Watcher watcher : watchers.values()) {
      if (!isUpToDate(watcher)) {
        return;
      }
    }
    if (!watchers.isEmpty()) {
      hub.sender().progress(this, WatchSender.NO_WATCH, hub.revision());
    }
  }

  private boolean isUpToDate(Watcher watcher) {
    return watcher.synced && watcher.minRevision <= hub.revision() + 1;
  }

  private void tick() {
    hub.dispatch();
    for (Watcher watcher : watchers.values()) {
      boolean due = watcher.progressNotify && !watcher.sentSinceTick && isUpToDate(watcher);
      if (due && isWritable()) {
        hub.sender().progress(this, watcher.id, hub.revision());
      }
      watcher.sentSinceTick = false;
    }
  }

  @Override
  public boolean takesMany() {
    return true;
  }

  @Override
  public void writable() {
    if (large != null) {
      large.wake();
      return;
    }
    List<Watcher> slow = new ArrayList<>();
    for (Watcher watcher : watchers.values()) {
      if (!watcher.synced) {
        slow.add(watcher);
      }
    }
    slow.forEach(hub::catchUp);
  }

  @Override
  public void closed() {
    ticks.cancel(false);
    if (large != null) {
      large.close();
    }
    hub.streamClosed(this);
    for (Watcher watcher : watchers.values()) {
      hub.remove(watcher);
    }
    watchers.clear();
  }
}
