// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import com.sun.management.UnixOperatingSystemMXBean;
import io.exaplane.store.wire.door.Places.Limits;
import java.lang.management.ManagementFactory;

/**
 * Which of the files that the process may have open are for connections; the others are kept for
 * journal, snapshots, certificates and metrics, so that no number of connections takes them.
 *
 * @param most that may be open
 * @param open now, before there is a connection
 */
record OpenFiles(long most, long open) {
  private static final System.Logger LOG = System.getLogger(OpenFiles.class.getName());

  /** A snapshot and the log take ten; libraries that are opened when first needed, some more. */
  static final int RESERVE = 64;

  /** Of epoll. */
  private static final int PER_LOOP = 4;

  private static final int LEAST = 8;
  private static final int FEW = 256;

  static OpenFiles now() {
    var system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return new OpenFiles(system.getMaxFileDescriptorCount(), system.getOpenFileDescriptorCount());
  }

  /** Bounds with no more connections than there are files for; says so if these are few. */
  ConnectionFlags.Bounds bound(ConnectionFlags.Bounds asked, int eventLoops) {
    long left = most - open - RESERVE - (long) PER_LOOP * eventLoops;
    int forAll = Math.clamp(left, 2 * LEAST, Integer.MAX_VALUE);
    int probes = Math.clamp(forAll / 4, LEAST, asked.probes().total());
    int clients = Math.clamp(forAll - probes, LEAST, asked.clients().total());
    if (clients < Math.min(FEW, asked.clients().total())) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the process may open only {0} files, so that only {1} clients can connect; raise the limit"
              + " of open files (ulimit -n)",
          most,
          clients);
    }
    return new ConnectionFlags.Bounds(
        limits(asked.clients(), clients),
        limits(asked.probes(), probes),
        asked.maxStreams(),
        asked.maxCalls(),
        asked.clearPages());
  }

  private Limits limits(Limits asked, int total) {
    if (total == asked.total()) {
      return asked;
    }
    String reason =
        "open files: %d, of which %d are kept for journal and metrics".formatted(most, RESERVE);
    return new Limits(total, Math.clamp(total * 3L / 4, 1, asked.perSource()), reason);
  }
}
