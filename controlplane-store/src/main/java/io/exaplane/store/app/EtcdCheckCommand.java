// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import io.exaplane.store.backup.EtcdContents;
import io.exaplane.store.backup.EtcdFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code store etcd-check}: says of which etcd data is, and what to do before one is started. */
@Command(
    name = "etcd-check",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Prints the version of etcd that wrote a backup or a data folder, and the steps before you start"
          + " another version on the data. For example, etcd 3.7 panics on some folders of 3.5.",
      "The exit code is 1 if a step is necessary. The command changes nothing."
    })
final class EtcdCheckCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The backup, or an etcd's data folder.")
  private Path file;

  @Option(
      names = "--for",
      paramLabel = "VERSION",
      defaultValue = "3.6",
      description = "Version of the etcd that you want to start (default: ${DEFAULT-VALUE}).")
  private String version;

  @Option(
      names = "--wal-dir",
      description = "Folder of the log, if the etcd of a data folder ran with --wal-dir.")
  private Path walDir;

  @Option(
      names = "--before-start",
      description =
          "Check as the last step before that etcd starts, as in a pod. A missing or empty folder passes,"
              + " and so does the folder of a killed etcd. A folder that the command cannot judge passes,"
              + " too.")
  private boolean beforeStart;

  @Override
  public Integer call() {
    String minor = version.replaceFirst("^v?(\\d+\\.\\d+).*", "$1");
    try {
      return beforeStart ? beforeStart(minor) : check(minor);
    } catch (IOException e) {
      throw new ParameterException(
          spec.commandLine(), "FILE: %s can't be used: %s".formatted(file, e.getMessage()));
    }
  }

  private int check(String minor) throws IOException {
    try (EtcdFolder folder = EtcdFolder.of(file, walDir)) {
      return verdict(minor, EtcdContents.of(folder.backend()), folder);
    }
  }

  /** Only what is known to go wrong holds an etcd back: a check that errs must not be an outage. */
  private int beforeStart(String minor) {
    try {
      Optional<EtcdFolder> folder = EtcdFolder.beforeStart(file);
      if (folder.isEmpty()) {
        return passed("%s holds no data of an etcd; etcd %s can be started", file, minor);
      }
      if (!EtcdContents.isKnown(minor)) {
        return passed("etcd %s is not known here; that etcd judges the folder %s", minor, file);
      }
      return verdict(minor, EtcdContents.ofAny(folder.get().backend()), folder.get());
    } catch (IOException e) {
      return passed("%s cannot be judged (%s); etcd %s judges it", file, e.getMessage(), minor);
    }
  }

  private int verdict(String minor, EtcdContents contents, EtcdFolder folder) {
    spec.commandLine().getOut().printf("etcd %s; %s%n", contents.version(), contents.authText());
    String first = contents.beforeStarting(minor, folder.oldRequests());
    if (first.isEmpty()) {
      return passed("etcd %s can be started on it", minor);
    }
    spec.commandLine().getErr().printf("before etcd %s: %s%n", minor, first);
    return 1;
  }

  private int passed(String format, Object... values) {
    spec.commandLine().getOut().printf(format + "%n", values);
    return 0;
  }
}
