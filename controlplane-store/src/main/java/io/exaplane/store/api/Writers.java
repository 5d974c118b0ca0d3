// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.wire.GrpcStream;
import io.exaplane.store.wire.SparseLog;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Says which clients write: a line for the first write of a connection, with the client's name and
 * the method, at most once a minute for each name. Another write costs a comparison.
 */
final class Writers {
  private static final System.Logger LOG = System.getLogger(Writers.class.getName());

  /** Methods that may change something. */
  private static final Set<String> METHODS =
      Set.of(
          "KV/Put",
          "KV/Txn",
          "KV/DeleteRange",
          "KV/Compact",
          "Lease/LeaseGrant",
          "Lease/LeaseRevoke",
          "Lock/Lock",
          "Lock/Unlock");

  private final Consumer<String> info;
  private final SparseLog lines;

  Writers(Consumer<String> info, LongSupplier nanoTime) {
    this.info = info;
    this.lines =
        new SparseLog(
            "more clients write than the log names; the log names writers again in a minute",
            nanoTime);
  }

  /** Into the process's log. */
  static Writers logged() {
    return new Writers(text -> LOG.log(System.Logger.Level.INFO, "{0}", text), System::nanoTime);
  }

  /** Whether a method, as {@code KV/Put}, may change something. */
  static boolean isWrite(String method) {
    return METHODS.contains(method);
  }

  /** A client sends a write. By the event loop of its connection. */
  void write(GrpcStream stream, WriteMethod method) {
    if (method.isWrite() && stream.isFirstWrite()) {
      lines.say(info, "client %s writes: %s".formatted(stream.client(), method.name()));
    }
  }
}
