// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import java.util.ArrayDeque;

/**
 * Commands that wait for what others do, in the order in which they came. They are looked at when
 * something was done, and now and then, since a client may have left. Used by the writer.
 */
final class BlockedCommands {
  private static final int MOST = 1024;
  private static final long LOOK_MS = 50;

  private final ArrayDeque<WriteCommand> commands = new ArrayDeque<>();
  private long revisionSeen;
  private long lookedMs;

  boolean isFull() {
    return commands.size() == MOST;
  }

  void add(WriteCommand command) {
    commands.add(command);
  }

  /** How many are to be taken, tried, and added again if they have to wait on. */
  int due(long revision, long nowMs) {
    if (commands.isEmpty() || revision == revisionSeen && nowMs - lookedMs < LOOK_MS) {
      return 0;
    }
    revisionSeen = revision;
    lookedMs = nowMs;
    return commands.size();
  }

  WriteCommand take() {
    return commands.poll();
  }
}
