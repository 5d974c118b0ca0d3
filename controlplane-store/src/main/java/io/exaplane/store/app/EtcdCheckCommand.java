// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import io.exaplane.store.backup.EtcdContents;
import io.exaplane.store.backup.EtcdFolder;
import java.io.IOException;
import java.nio.file.Path;
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
      "Says of which version of etcd a backup or a data folder is, and what to do before an etcd of"
          + " another version is started on it: etcd 3.7 ends with a panic on some folders of 3.5.",
      "Ends with 1 if something has to be done first. Changes nothing."
    })
final class EtcdCheckCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The backup, or an etcd's data folder.")
  private Path file;

  @Option(
      names = "--for",
      paramLabel = "VERSION",
      defaultValue = "3.6",
      description = "Version of the etcd that is to be started (default: ${DEFAULT-VALUE}).")
  private String version;

  @Override
  public Integer call() {
    try {
      EtcdFolder folder = EtcdFolder.of(file);
      EtcdContents contents = EtcdContents.of(folder.backend());
      spec.commandLine().getOut().printf("etcd %s; %s%n", contents.version(), contents.authText());
      String minor = version.replaceFirst("^v?(\\d+\\.\\d+).*", "$1");
      String first = contents.beforeStarting(minor, folder.oldRequests());
      if (first.isEmpty()) {
        spec.commandLine().getOut().printf("etcd %s can be started on it%n", minor);
        return 0;
      }
      spec.commandLine().getErr().printf("before etcd %s: %s%n", minor, first);
      return 1;
    } catch (IOException e) {
      throw new ParameterException(
          spec.commandLine(), "FILE: %s can't be used: %s".formatted(file, e.getMessage()));
    }
  }
}
