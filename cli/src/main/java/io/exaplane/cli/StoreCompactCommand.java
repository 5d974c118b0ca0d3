// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.cli.etcd.Deletion;
import io.exaplane.cli.etcd.EtcdClient;
import io.exaplane.tuning.model.Bytes;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Frees what was replaced or deleted. */
@Command(
    name = "compact",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Compacts a store at its newest revision: replaced and deleted versions no longer use space.",
      "If an etcd refuses writes, the command defragments its members and ends the alarm.",
      "Watches that are behind list again."
    })
final class StoreCompactCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private StoreOptions options;

  @Override
  public Integer call() throws Exception {
    try (StoreOptions.Access access = options.connect()) {
      compact(spec.commandLine().getOut(), access.store(), 0);
    }
    return 0;
  }

  /**
   * Compacts and says what came of it.
   *
   * @param revision 0 for the newest
   */
  static void compact(PrintWriter out, EtcdClient store, long revision) {
    Deletion.Room room =
        Deletion.makeRoom(
            store,
            revision,
            what -> {
              out.println(what);
              out.flush();
            });
    out.printf(
        "Compacted at the revision %d: %s in use before, %s now.%n",
        room.revision(), Bytes.text(room.bytesBefore()), Bytes.text(room.bytesAfter()));
    if (room.alarms() > 0) {
      out.println("The alarm of space is ended; the store takes writes again.");
    }
    out.flush();
  }
}
