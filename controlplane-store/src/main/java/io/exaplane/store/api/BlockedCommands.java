// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.memory.Records;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Commands that wait, each for one key's end, as etcd's locks wait for the one before them: what
 * happens to other keys costs them nothing, and a lock that is given back wakes one of those that
 * want it. Now and then those are looked for whose client left. Used by the writer.
 *
 * <p>Bounded by number and by what they keep, names and keys.
 */
final class BlockedCommands {
  private static final int MOST = 1024;
  private static final long LOOK_MS = 50;

  /** The rest is for requests that are about to be carried out. */
  private static final int PARTS = 4;

  private final long mostBytes;
  private final Map<ByteBuffer, List<WriteCommand>> byKey = new HashMap<>();
  private final ArrayDeque<WriteCommand> due = new ArrayDeque<>();
  private int size;
  private long bytes;
  private long eventsSeen;
  private long lookedMs;

  /**
   * @param mostRequestBytes that requests may keep, of which these have a part
   */
  BlockedCommands(long mostRequestBytes) {
    this.mostBytes = mostRequestBytes / PARTS;
  }

  /** Whether one that has to wait has no room. */
  boolean isFull(WriteCommand command) {
    return size == MOST || bytes + command.waitingBytes() > mostBytes;
  }

  /** Keeps a command until the key that it waits for has ended. */
  void add(WriteCommand command) {
    byKey.computeIfAbsent(ByteBuffer.wrap(command.awaits()), _ -> new ArrayList<>()).add(command);
    size++;
    bytes += command.waitingBytes();
  }

  /**
   * Looks which keys have ended since the last time, and from time to time whose client left. To be
   * called after each batch, before anything of it is cleaned.
   */
  void look(Keyspace keyspace, long nowMs) {
    long events = keyspace.eventCount();
    for (long i = eventsSeen; i < events && !byKey.isEmpty(); i++) {
      long record = keyspace.event(i);
      if (Records.isTombstone(keyspace.memory(), record)) {
        wake(byKey.remove(ByteBuffer.wrap(Records.copyKey(keyspace.memory(), record))));
      }
    }
    eventsSeen = events;
    if (nowMs - lookedMs >= LOOK_MS) {
      lookedMs = nowMs;
      wakeThoseThatLeft();
    }
  }

  private void wake(List<WriteCommand> commands) {
    if (commands != null) {
      due.addAll(commands);
    }
  }

  private void wakeThoseThatLeft() {
    for (Iterator<List<WriteCommand>> all = byKey.values().iterator(); all.hasNext(); ) {
      List<WriteCommand> commands = all.next();
      commands.removeIf(command -> command.isGone() && due.add(command));
      if (commands.isEmpty()) {
        all.remove();
      }
    }
  }

  /** Whether {@link #take} has one. */
  boolean hasDue() {
    return !due.isEmpty();
  }

  /** One that is to be tried again, and added again if it has to wait on; null if there is none. */
  WriteCommand take() {
    WriteCommand command = due.poll();
    if (command != null) {
      size--;
      bytes -= command.waitingBytes();
    }
    return command;
  }
}
