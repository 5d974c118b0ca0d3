// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.app;

import io.exaplane.scheduler.cel.CelSelectors;
import io.exaplane.scheduler.commit.Committer;
import io.exaplane.scheduler.engine.model.InvalidObjectException;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.grpc.TreeServer;
import io.exaplane.scheduler.kube.Fabric8Api;
import io.exaplane.scheduler.kube.RealPace;
import io.exaplane.scheduler.lease.Lease;
import io.exaplane.scheduler.lease.Standing;
import io.exaplane.scheduler.root.Root;
import io.exaplane.scheduler.root.RootConfig;
import io.exaplane.scheduler.root.Tree;
import io.exaplane.scheduler.tree.Down;
import io.fabric8.kubernetes.client.Config;
import io.quarkus.picocli.runtime.annotations.TopCommand;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The scheduler as a process, with kube-scheduler's own options where they mean the same. */
@TopCommand
@Command(
    name = "exaplane-scheduler",
    mixinStandardHelpOptions = true,
    versionProvider = AppVersion.class,
    sortOptions = false,
    description = "Places pods on nodes as kube-scheduler does, and evaluates every node.",
    footer =
        "%nHealth is at http://127.0.0.1:10260/q/health, metrics at /q/metrics. To use another address, set"
            + " EXAPLANE_HTTP_HOST and EXAPLANE_HTTP_PORT.")
public final class SchedulerCommand implements Callable<Integer> {
  private static final Logger LOG = Logger.getLogger(SchedulerCommand.class);
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);
  private static final int LOST = 1;

  @Inject Status status;

  @Spec private CommandSpec spec;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "The cluster and the credentials (default, in a pod: the pod's service account).")
  private Path kubeconfig;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "A KubeSchedulerConfiguration: profiles, their plugins and arguments, backoffs. Fields that"
              + " concern only the process of kube-scheduler are ignored.")
  private Path config;

  @Option(
      names = "--leader-elect",
      paramLabel = "true|false",
      arity = "0..1",
      defaultValue = "true",
      fallbackValue = "true",
      description =
          "Whether to place pods only while holding a Lease, so that one of several processes is in charge"
              + " (default: ${DEFAULT-VALUE}).")
  private boolean leaderElect;

  @Option(
      names = "--leader-elect-resource-namespace",
      paramLabel = "NAMESPACE",
      defaultValue = "kube-system",
      description = "The namespace of the Lease (default: ${DEFAULT-VALUE}).")
  private String leaseNamespace;

  @Option(
      names = "--leader-elect-resource-name",
      paramLabel = "NAME",
      description =
          "The name of the Lease (default: kube-scheduler, so that only one of the two places pods; without a"
              + " profile named default-scheduler: exaplane-scheduler). Use the same Lease for all processes that"
              + " serve the same scheduler name.")
  private String leaseName;

  @Option(
      names = "--leader-elect-lease-duration",
      paramLabel = "SECONDS",
      defaultValue = "3",
      description =
          "Another process takes over if the Lease is not renewed for this number of seconds (default:"
              + " ${DEFAULT-VALUE}).")
  private int leaseSeconds;

  @Mixin private TreeOptions tree = new TreeOptions();

  @Override
  public Integer call() throws InterruptedException {
    if (leaseSeconds < 3 || leaseSeconds > 600) {
      throw new ParameterException(
          spec.commandLine(),
          "--leader-elect-lease-duration: '%d' must be between 3 and 600 seconds; the default is 3"
              .formatted(leaseSeconds));
    }
    try {
      TreeOptions.Place place = tree.place(host());
      return switch (place.role()) {
        case ROOT -> run(Clusters.config(kubeconfig), place);
        case RELAY -> run(new RelayProcess(place));
        case SHARD -> run(new ShardProcess(place));
      };
    } catch (TreeOptions.InvalidException
        | InvalidObjectException
        | ServerVersion.UnsupportedException e) {
      // Without the options: what ends a container's log is what people see of its end.
      spec.commandLine().getErr().println(e.getMessage());
      return CommandLine.ExitCode.USAGE;
    } catch (IOException e) {
      LOG.errorf("%s%s", e.getMessage(), cause(e));
      return LOST;
    }
  }

  private int run(TreeProcess process) {
    status.isBelow(process);
    InterruptedAtEnd end = new InterruptedAtEnd();
    try (end;
        process) {
      process.run();
    }
    // Who ends what is left must not be interrupted.
    Thread.interrupted();
    return 0;
  }

  private int run(Config cluster, TreeOptions.Place place)
      throws IOException, InterruptedException {
    Duration duration = Duration.ofSeconds(leaseSeconds);
    Duration third = Lease.requestTimeout(duration);
    try (Fabric8Api reads = new Fabric8Api(cluster, REQUEST_TIMEOUT);
        Fabric8Api writes = new Fabric8Api(cluster, REQUEST_TIMEOUT);
        Fabric8Api binds = new Fabric8Api(cluster, leaderElect ? third : REQUEST_TIMEOUT);
        Fabric8Api asks = new Fabric8Api(cluster, third)) {
      Version version = version(reads);
      String configuration = SchedulerConfig.text(config);
      RootConfig rules =
          SchedulerConfig.read(configuration, String.valueOf(config), version, new CelSelectors());
      String host = host();
      Lease lease =
          new Lease(
              asks,
              leaseNamespace,
              leaseName(rules),
              host + "_" + UUID.randomUUID(),
              duration,
              System::nanoTime,
              Instant::now);
      LOG.infof("Kubernetes %s at %s", version, cluster.getMasterUrl());
      Duration bindingTimeout = leaderElect ? third : REQUEST_TIMEOUT;
      try (Committer committer =
          new Committer(
              binds,
              writes,
              leaderElect ? lease::standing : () -> Standing.HELD,
              bindingTimeout,
              host)) {
        Tree below =
            place.listen() == null
                ? null
                : new Tree(
                    new Down.Rules(version.toString(), configuration, rules.seed()),
                    () -> lease.transitions() + 1);
        Root root =
            new Root(
                rules,
                reads,
                new RealPace(),
                committer,
                new EpochClock(),
                below,
                status.durations());
        Supplier<Standing> standing = leaderElect ? lease::standing : () -> Standing.HELD;
        TreeServer server = server(place, root, standing);
        try {
          return new Duty(
                  root, reads, committer, bindingTimeout, leaderElect ? lease : null, status)
              .run();
        } finally {
          if (server != null) {
            server.close();
          }
        }
      }
    }
  }

  /** Waits for a server that is not there yet. */
  private static Version version(Fabric8Api api) throws IOException, InterruptedException {
    InterruptedAtEnd end = new InterruptedAtEnd();
    try (end) {
      return ServerVersion.await(api, new RealPace());
    }
  }

  /** Null if nobody is below. */
  private static TreeServer server(TreeOptions.Place place, Root root, Supplier<Standing> standing)
      throws IOException {
    return place.listen() == null
        ? null
        : new TreeServer(
            place.listen(), place.tls(), () -> standing.get() == Standing.HELD ? root.hub() : null);
  }

  private String leaseName(RootConfig rules) {
    boolean inPlace =
        rules.profiles().stream()
            .anyMatch(profile -> profile.schedulerName().equals("default-scheduler"));
    return leaseName != null ? leaseName : inPlace ? "kube-scheduler" : "exaplane-scheduler";
  }

  private static String cause(Exception e) {
    return e.getCause() == null ? "" : ": " + e.getCause().getMessage();
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
