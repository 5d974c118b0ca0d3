// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.cli.fleet.FleetBench;
import io.exaplane.cli.fleet.FleetNames;
import io.exaplane.cli.fleet.FleetReport;
import io.exaplane.cli.fleet.Removal;
import io.exaplane.cli.measure.ApiFailure;
import io.exaplane.cli.measure.ApiServer;
import io.exaplane.cli.measure.MeasurementException;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What many control planes cost the operator and a management cluster. */
@Command(
    name = "fleet",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Creates many small ControlPlanes without pods on a management cluster, and measures how "
          + "soon the operator reconciles them.",
      "Each ControlPlane gets its own namespace, with a ResourceQuota that admits no pods, claims "
          + "or load balancers.",
      "The command deletes everything that it created, also after Ctrl-C. The command touches no "
          + "other object. See docs/fleet.md.",
      "The account needs to create and delete namespaces, resourcequotas and controlplanes, and to "
          + "list metadata of the operator's objects."
    })
final class BenchFleetCommand implements Callable<Integer> {
  private static final String YES = "yes";

  /** A busy management cluster may take long to accept a connection. */
  private static final int CONNECTION_TIMEOUT_MS = 60_000;

  @Spec private CommandSpec spec;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "Kubeconfig of the management cluster (default: as kubectl).")
  private Path kubeconfig;

  @Mixin private FleetOptions options;

  @Option(names = "--yes", description = "Starts without a question, for scripts.")
  private boolean yes;

  @Option(
      names = "--delete-only",
      description =
          "Only deletes what earlier runs with the same --namespace-prefix left, for example after "
              + "a power failure.")
  private boolean deleteOnly;

  @Mixin private FormatOption chosen;

  @Override
  public Integer call() throws IOException {
    FleetBench.Settings settings = options.settings();
    Config config =
        new ConfigBuilder(ApiServer.config(kubeconfig))
            .withConnectionTimeout(CONNECTION_TIMEOUT_MS)
            .build();
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
      if (client.raw("/apis/exaplane.io/v1alpha1") == null) {
        throw new MeasurementException(
            "%s has no ControlPlanes; check --kubeconfig, and install Exaplane"
                .formatted(config.getMasterUrl()));
      }
      if (deleteOnly) {
        deleteOnly(client, settings, config.getMasterUrl());
      } else {
        measure(client, settings, config.getMasterUrl());
      }
      return 0;
    } catch (KubernetesClientException e) {
      throw new MeasurementException(ApiFailure.words(e, "the rights of the account"));
    }
  }

  private void deleteOnly(KubernetesClient client, FleetBench.Settings settings, String url)
      throws IOException {
    Removal removal = new Removal(client, settings.names().prefix(), "", tell());
    int count = removal.namespaces().size();
    if (count > 0) {
      ask(
          "Delete %d namespaces %s-… and their ControlPlanes on %s?"
              .formatted(count, settings.names().prefix(), url));
    }
    removal.run(settings.patience());
    tell().accept("deleted %d namespaces".formatted(count));
  }

  private void measure(KubernetesClient client, FleetBench.Settings settings, String url)
      throws IOException {
    FleetBench bench = new FleetBench(client, settings, tell());
    bench.checkNames();
    ask(question(settings, url));
    Thread interrupted = Thread.ofPlatform().unstarted(() -> interrupted(bench, settings));
    Runtime.getRuntime().addShutdownHook(interrupted);
    FleetReport report;
    try {
      report = measured(bench);
    } finally {
      withdraw(interrupted);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (chosen.format == TuneCommand.Format.TABLE) {
      FleetOutput.print(out, report);
    } else {
      Documents.print(out, chosen.format, report);
    }
  }

  private static String question(FleetBench.Settings settings, String url) {
    FleetNames names = settings.names();
    return "Create %d ControlPlanes in %d namespaces %s-… on %s, %s%s, and delete them at the end?"
        .formatted(
            names.count(),
            names.count(),
            names.prefix(),
            url,
            settings.allowPods() ? "WITH their pods where nodes accept pods" : "without pods",
            settings.killLeader() ? ", kill the operator's leader" : "");
  }

  /** What kept it from measuring comes before what kept it from the deletion. */
  private static FleetReport measured(FleetBench bench) {
    RuntimeException failure = null;
    FleetReport report = null;
    try {
      report = bench.run();
    } catch (RuntimeException e) {
      failure = e;
    }
    try {
      double seconds = bench.remove();
      if (failure == null) {
        return report.deleted(seconds);
      }
    } catch (RuntimeException e) {
      if (failure == null) {
        throw e;
      }
      failure.addSuppressed(e);
    }
    throw failure;
  }

  private static void withdraw(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending, and the hook deletes.
    }
  }

  /** Runs when the process is told to end. */
  private void interrupted(FleetBench bench, FleetBench.Settings settings) {
    Consumer<String> tell = tell();
    tell.accept("interrupted; the command deletes the objects that it created. Wait.");
    try {
      bench.remove();
      tell.accept("everything is deleted");
    } catch (RuntimeException e) {
      tell.accept(
          "error: %s; run 'exactl bench fleet --delete-only --namespace-prefix %s'"
              .formatted(e.getMessage(), settings.names().prefix()));
    }
  }

  private Consumer<String> tell() {
    PrintWriter err = spec.commandLine().getErr();
    return line -> {
      err.println(line);
      err.flush();
    };
  }

  private void ask(String question) throws IOException {
    if (yes) {
      return;
    }
    PrintWriter err = spec.commandLine().getErr();
    err.printf("%s Type %s: ", question, YES);
    err.flush();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String answer = in.readLine();
    if (answer == null || !answer.strip().equals(YES)) {
      throw new MeasurementException(
          "nothing is created or deleted: the answer is not %s; in scripts, set --yes"
              .formatted(YES));
    }
  }
}
