// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.cli.etcd.EtcdClient;
import io.exaplane.cli.etcd.StoreStatus;
import io.exaplane.cli.etcd.Usage;
import io.exaplane.cli.etcd.Usage.Share;
import io.exaplane.cli.etcd.UsageReader;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Who takes the space of a store. */
@Command(
    name = "top",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Lists the Kinds and namespaces that hold most of a store, with the prefix of their keys.",
      "An Exaplane store reports bytes. For an etcd, the command reads all keys in pages, without",
      "values, and counts them. --samples estimates bytes from a few values of each group."
    })
final class StoreTopCommand implements Callable<Integer> {
  private static final int MOST_SAMPLES = 1_000;

  @Spec private CommandSpec spec;
  @Mixin private StoreOptions options;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "Number of Kinds and namespaces, 1 to 100 (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(
      names = "--samples",
      paramLabel = "N",
      defaultValue = "0",
      description = {
        "For an etcd: values of each Kind and namespace to read, one at a time, for an estimate of",
        "bytes; 0: none (default: ${DEFAULT-VALUE})."
      })
  private int samples;

  @Mixin private FormatOption chosen;

  @Override
  public Integer call() throws Exception {
    require("limit", limit, 1, UsageReader.MOST_GROUPS);
    require("samples", samples, 0, MOST_SAMPLES);
    PrintWriter out = spec.commandLine().getOut();
    try (StoreOptions.Access access = options.connect()) {
      EtcdClient store = access.store();
      Usage usage = UsageReader.read(store, options.root(), limit, samples);
      if (chosen.format == TuneCommand.Format.TABLE) {
        print(out, store, usage);
      } else {
        Documents.print(out, chosen.format, usage);
      }
    }
    return 0;
  }

  private static void require(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new InvalidInputException(
          option,
          Integer.toString(value),
          "must lie between %d and %d".formatted(least, most),
          "see --help");
    }
  }

  private void print(PrintWriter out, EtcdClient store, Usage usage) {
    StoreStatus status = store.status();
    out.printf(
        "%s: %d keys, %s in use%s, revision %d%s%n",
        store.endpoint(),
        usage.keys(),
        Bytes.text(status.usedBytes()),
        status.quotaBytes() > 0 ? " of " + Bytes.text(status.quotaBytes()) : "",
        status.revision(),
        store.membersWithoutSpace().isEmpty() ? "" : "; IT REFUSES WRITES for want of space");
    boolean hasHistory = usage.historyBytes() >= 0;
    Table kinds =
        hasHistory
            ? new Table("KIND", "KEYS", "BYTES", "WITH HISTORY", "PREFIX")
            : new Table("KIND", "KEYS", "BYTES", "PREFIX");
    for (Share each : usage.kinds()) {
      String keys = Long.toString(each.keys());
      String bytes = bytes(each.bytes(), usage);
      if (hasHistory) {
        kinds.row(each.kind(), keys, bytes, bytes(each.historyBytes(), usage), each.prefix());
      } else {
        kinds.row(each.kind(), keys, bytes, each.prefix());
      }
    }
    kinds.print(out);
    out.println();
    Table namespaces = new Table("KIND", "NAMESPACE", "KEYS", "BYTES", "PREFIX");
    for (Share each : usage.namespaces()) {
      namespaces.row(
          each.kind(),
          each.namespace(),
          Long.toString(each.keys()),
          bytes(each.bytes(), usage),
          each.prefix());
    }
    namespaces.print(out);
    notes(usage).forEach(out::println);
    out.flush();
  }

  private static String bytes(double bytes, Usage usage) {
    return bytes < 0 ? "?" : (usage.estimated() ? "~" : "") + Bytes.text(bytes);
  }

  private static List<String> notes(Usage usage) {
    if (usage.bytes() < 0) {
      return List.of(
          "",
          "This store does not report bytes. Add --samples=3 to estimate bytes from three values of"
              + " each group.");
    }
    return List.of();
  }
}
