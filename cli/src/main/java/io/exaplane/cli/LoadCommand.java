// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.cli.load.Load;
import io.exaplane.cli.load.LoadBench;
import io.exaplane.cli.load.LoadReport;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A load on any cluster: asks for consent, measures, prints, and deletes, also after Ctrl-C. */
abstract class LoadCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private LoadOptions options;
  @Mixin private FormatOption chosen;

  /**
   * The load that the options describe.
   *
   * @throws io.exaplane.tuning.model.InvalidInputException for the first that cannot be
   */
  abstract Load load();

  /** The cluster and what else all loads are asked. */
  final LoadOptions options() {
    return options;
  }

  @Override
  public final Integer call() {
    Load load = load();
    int connections = options.connections();
    try (LoadBench bench =
        new LoadBench(options.kubeconfig, options.context, load, options.timeout(), tell())) {
      options.requireConsent(bench.url());
      bench.connect(connections);
      if (options.cleanUp) {
        LoadReport.CleanUp done = bench.remove(true);
        if (done.deleted().isEmpty()) {
          tell().accept("nothing of 'exactl bench %s' is left".formatted(load.name()));
        }
      } else {
        tell().accept("%s: %s".formatted(bench.url(), load.plan()));
        measure(bench, load);
      }
      return 0;
    }
  }

  private void measure(LoadBench bench, Load load) {
    Thread interrupted = Thread.ofPlatform().unstarted(() -> interrupted(bench, load));
    Runtime.getRuntime().addShutdownHook(interrupted);
    try {
      measureAndDelete(bench);
    } finally {
      withdraw(interrupted);
    }
  }

  /**
   * The report comes also if the deletion fails. What kept it from measuring comes before what kept
   * it from the deletion.
   */
  private void measureAndDelete(LoadBench bench) {
    RuntimeException failure = null;
    LoadReport report = null;
    try {
      report = bench.run();
    } catch (RuntimeException e) {
      failure = e;
    }
    try {
      bench.remove(false);
    } catch (RuntimeException e) {
      if (failure == null) {
        failure = e;
      } else {
        tell().accept("the deletion failed, too: " + e.getMessage());
        failure.addSuppressed(e);
      }
    }
    if (report != null) {
      print(bench.cleaned(report));
    }
    if (failure != null) {
      throw failure;
    }
  }

  private static void withdraw(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending, and the hook deletes.
    }
  }

  /** Runs when the process is told to end. */
  private void interrupted(LoadBench bench, Load load) {
    Consumer<String> tell = tell();
    tell.accept("interrupted; the command deletes the objects that it created. Wait.");
    try {
      bench.remove(false);
      tell.accept("everything is deleted");
    } catch (RuntimeException e) {
      String next = "; run 'exactl bench %s --clean-up'".formatted(load.name());
      String words = String.valueOf(e.getMessage());
      tell.accept("error: " + words + (words.contains("--clean-up") ? "" : next));
    }
  }

  private void print(LoadReport report) {
    PrintWriter out = spec.commandLine().getOut();
    if (chosen.format == TuneCommand.Format.TABLE) {
      LoadOutput.print(out, report);
    } else {
      Documents.print(out, chosen.format, report);
    }
  }

  private Consumer<String> tell() {
    PrintWriter err = spec.commandLine().getErr();
    return line -> {
      err.println(line);
      err.flush();
    };
  }
}
