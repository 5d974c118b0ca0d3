// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.core.Cleaner;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.kind.KeyClasses;
import java.util.Arrays;

/**
 * Lets go history that no client compacted: when that is asked for on the command line, by the
 * windows of Kinds, and when space is short. Belongs to the writer.
 */
final class Compactions {
  private static final System.Logger LOG = System.getLogger(Compactions.class.getName());

  private final Applier applier;
  private final Keyspace keyspace;
  private final Cleaner cleaner;
  private final AutoCompaction autoCompaction;
  private final HistoryWindow[] windows;
  private final SelfCompaction selfCompaction;

  Compactions(Applier applier, AutoCompaction autoCompaction) {
    this.applier = applier;
    this.keyspace = applier.keyspace();
    this.cleaner = keyspace.cleaner();
    this.autoCompaction = autoCompaction;
    KeyClasses classes = keyspace.space().classes();
    this.windows = new HistoryWindow[classes.windows()];
    Arrays.setAll(windows, window -> new HistoryWindow(classes.windowMs(window)));
    this.selfCompaction = new SelfCompaction(keyspace);
  }

  /** History windows that there are, that of all keys included. */
  int windows() {
    return windows.length;
  }

  /** Compactions that were done because space was short. */
  long forSpace() {
    return selfCompaction.count();
  }

  /**
   * Does what is due by the time.
   *
   * @return whether there is something to be made durable and shown
   */
  boolean byTime() {
    long nowMs = applier.clockMs().getAsLong();
    selfCompaction.look(nowMs);
    return compact(nowMs) | shortenHistory(nowMs);
  }

  private boolean compact(long nowMs) {
    long due = autoCompaction.due(nowMs, keyspace.revision());
    if (due <= keyspace.compactedRevision()) {
      return false;
    }
    applier.compact(due);
    LOG.log(System.Logger.Level.INFO, "history before revision {0,number,#} is compacted", due);
    return true;
  }

  /** Lets go what is older than the window of its Kind. */
  private boolean shortenHistory(long nowMs) {
    boolean any = false;
    for (int window = KeyClasses.NO_WINDOW + 1; window < windows.length; window++) {
      long start = windows[window].start(nowMs, keyspace.revision());
      if (start != HistoryWindow.NONE && start > keyspace.historyStarts().of(window)) {
        keyspace.startHistory(window, start);
        any = true;
      }
    }
    return any;
  }

  /**
   * Does what space asks for. When all that was applied is shown.
   *
   * @return whether there is something to be made durable and shown
   */
  boolean forSpaceNow() {
    return selfCompaction.isSpaceShort()
        && cleaner.hasLetGo()
        && (compactForSpace() || goOnByARevision());
  }

  private boolean compactForSpace() {
    long due = selfCompaction.due(applier.clockMs().getAsLong());
    if (due == AutoCompaction.NONE) {
      return false;
    }
    applier.compact(due);
    return true;
  }

  /**
   * A store that is full although all is cleaned that may be, and takes no new versions, would,
   * compacted at its newest revision, never let go what was deleted last: its events there have the
   * versions before.
   */
  private boolean goOnByARevision() {
    boolean due =
        keyspace.compactedRevision() == keyspace.revision()
            && keyspace.space().isAnyFull()
            && cleaner.mayFreeBelow(keyspace.revision())
            && keyspace.compactAll();
    if (due) {
      LOG.log(
          System.Logger.Level.INFO,
          "wrote revision {0,number,#} without a change, so that all earlier history can be compacted",
          keyspace.revision());
    }
    return due;
  }
}
