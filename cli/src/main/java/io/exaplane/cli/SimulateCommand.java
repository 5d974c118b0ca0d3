// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.scheduler.cel.CelSelectors;
import io.exaplane.scheduler.engine.decision.Decider;
import io.exaplane.scheduler.engine.decision.Decision;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.InvalidObjectException;
import io.exaplane.scheduler.engine.model.ObjectReader;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.plugin.ProfileReader;
import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.version.MinorVersion;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What kube-scheduler would decide about the pending pods of a cluster, without one. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Decides about a cluster's pending pods as kube-scheduler does when it evaluates "
          + "every node, and explains each decision.",
      "Reads nodes, pods and related objects from files. Asks no API server and changes "
          + "nothing.",
      "Places the pods once, in queue order, and does not retry a pod that found no node.",
      "Refuses many values that an API server refuses. Ignores unknown fields.",
      "Expects objects as an API server stores them, with defaults filled in.",
      "Gives nodes the taints of a running node lifecycle controller: for spec.unschedulable "
          + "and for conditions.",
      "Warns about each missing object that a verdict depends on, with the pods and the "
          + "command that gets the object.",
      "Without --config, decides about all pods, whatever scheduler they name.",
      "Chooses among several best nodes by a hash of the node's name and the seed."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every pod was evaluated, whether or not it found a node or uses features that the "
          + "engine does not support",
      "1:with --strict: a verdict depends on an object that the files lack",
      "2:an input cannot be read or is invalid"
    })
final class SimulateCommand implements Callable<Integer> {
  /** How much is said about single nodes. */
  enum Verdicts {
    FULL,
    SUMMARY,
    NONE
  }

  /** How decisions are printed. */
  enum Format {
    JSON,
    TABLE
  }

  private CommandSpec spec;

  @Option(
      names = {"-f", "--file"},
      required = true,
      paramLabel = "FILE",
      description =
          "Kubernetes objects: JSON or YAML, as 'kubectl get -o json' writes them, or protobuf, "
              + "as the API server sends them with 'Accept: application/vnd.kubernetes.protobuf'. "
              + "Plain or gzip. - is the standard input. Can be repeated.")
  private List<Path> files;

  @Option(
      names = "--profile",
      paramLabel = "VERSION",
      description =
          "Version of kube-scheduler: 1.34, 1.35, 1.36 or 1.37, or a vendor's name for one of these"
              + " (default: the newest).")
  private String profile;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "A KubeSchedulerConfiguration; - is the standard input. Each pod uses the profile that "
              + "it names; pods without a matching profile are ignored.")
  private Path config;

  @Option(
      names = "--independent",
      description =
          "Evaluate each pending pod against the cluster as it is, and place none. Pods of a "
              + "gang see each other.")
  private boolean independent;

  @Option(
      names = "--drain",
      split = ",",
      paramLabel = "NODE",
      description =
          "Cordon these nodes, and look for other nodes for their pods. These pods queue behind "
              + "pending pods of the same priority. Pods of DaemonSets and static pods stay.")
  private Set<String> drained = Set.of();

  @Option(
      names = "--cordon",
      split = ",",
      paramLabel = "NODE",
      description = "Place no more pods on these nodes; their pods stay.")
  private Set<String> cordoned = Set.of();

  @Option(
      names = "--strict",
      description =
          "Fail if a verdict depends on an object that the files lack, or on a default that an "
              + "API server fills in.")
  private boolean strict;

  @Option(
      names = "--verdicts",
      paramLabel = "full|summary|none",
      defaultValue = "full",
      description =
          "Node details in JSON: scores or reasons of each node, counts by plugin and reason, or "
              + "nothing, not even why a pod found no node (default: ${DEFAULT-VALUE}).")
  private Verdicts verdicts;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      defaultValue = "0",
      description = "Seed for breaking ties (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "json|table",
      defaultValue = "json",
      description =
          "One line of JSON for each pending pod, or a table for people. The score of a single "
              + "feasible node is not computed (default: ${DEFAULT-VALUE}).")
  private Format format;

  @Spec
  void describe(CommandSpec spec) {
    this.spec = spec;
  }

  @Override
  public Integer call() {
    Version version = version();
    Cluster cluster = new Cluster(new CelSelectors());
    cluster.devices().tick(TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()));
    ObjectReader reader = new ObjectReader(cluster, version);
    Drain drain = new Drain(drained, cordoned);
    InputReport report = new InputReport();
    Assumptions assumptions = new Assumptions();
    ClusterFiles objects =
        new ClusterFiles(
            new ClusterFiles.Sink() {
              @Override
              public void object(Map<String, Object> object) {
                Map<String, Object> now = drain.applied(object);
                if (now != null) {
                  take(now, reader, report, assumptions);
                }
              }

              @Override
              public void list(String kind, boolean more) {
                report.takeList(kind, more);
                if (!more) {
                  assumptions.takeList(kind);
                }
              }
            },
            false,
            "write a file with 'kubectl get nodes,pods -A -o json > FILE'");
    for (Path file : files) {
      assumptions.nextFile();
      objects.read(file);
    }
    assumptions.nextFile();
    report.requireAny(files);
    drain.finish(
        cluster, object -> take(object, reader, report, assumptions), spec.commandLine().getErr());
    report.print(cluster, spec.commandLine().getErr());
    report.brokenOff().forEach(assumptions::takeBrokenOff);
    assumptions.end();
    boolean reasons = format == Format.TABLE || verdicts != Verdicts.NONE;
    List<Profile> profiles =
        config == null ? List.of(Profile.defaults(version)) : profiles(version);
    warnAboutGroups(cluster, profiles, version);
    warnAboutOthers(cluster, profiles);
    Decider decider =
        config == null
            ? new Decider(cluster, profiles.getFirst(), seed, reasons)
            : new Decider(cluster, profiles, seed, reasons);
    DecisionOutput output =
        new DecisionOutput(cluster, assumptions, verdicts, spec.commandLine().getOut());
    Consumer<Decision> sink =
        decision -> {
          if (!decision.victims().isEmpty()) {
            assumptions.victims(decision.pod().pod().key());
          }
          if (format == Format.JSON) {
            output.json(decision);
          } else {
            output.row(decision);
          }
        };
    if (independent) {
      decider.judgeEach(sink);
    } else {
      decider.placeAll(sink);
    }
    output.flush();
    return told(assumptions);
  }

  private static void take(
      Map<String, Object> object,
      ObjectReader reader,
      InputReport report,
      Assumptions assumptions) {
    Fields given = Fields.ofObject(object);
    boolean isNode = "Node".equals(object.get("kind"));
    Fields now = isNode ? Fields.ofObject(NodeState.of(object)) : given;
    boolean decides = reader.read(now);
    report.take(given, decides);
    if (isNode && decides) {
      report.takeNode(given, now);
    }
    assumptions.take(object, given, decides);
  }

  private int told(Assumptions assumptions) {
    PrintWriter err = spec.commandLine().getErr();
    assumptions.print(err);
    if (!strict || assumptions.podCount() == 0) {
      err.flush();
      return 0;
    }
    err.printf(
        "error: strict: verdicts on %d pending pods depend on objects that the files lack; add "
            + "the objects that the warnings name, or omit --strict%n",
        assumptions.podCount());
    err.flush();
    return Exactl.FAILED;
  }

  private void warnAboutOthers(Cluster cluster, List<Profile> profiles) {
    if (config == null) {
      return;
    }
    Set<String> known = profiles.stream().map(Profile::schedulerName).collect(Collectors.toSet());
    Map<String, Long> others =
        cluster.pods().stream()
            .filter(pod -> pod.pod().nodeName().isEmpty())
            .map(pod -> pod.spec().schedulerName())
            .filter(name -> !known.contains(name))
            .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
    if (!others.isEmpty()) {
      spec.commandLine()
          .getErr()
          .println(
              "warning: spec.schedulerName: ignored pending pods of schedulers without a profile in"
                  + " --config: "
                  + others);
    }
  }

  private void warnAboutGroups(Cluster cluster, List<Profile> profiles, Version version) {
    boolean known = profiles.stream().anyMatch(Profile::schedulesGangs);
    long grouped =
        cluster.pods().stream()
            .filter(pod -> pod.pod().nodeName().isEmpty() && !pod.pod().group().isEmpty())
            .count();
    if (grouped > 0 && !known) {
      String next =
          switch (version) {
            case V1_34, V1_35 ->
                "kube-scheduler %s does not support such groups".formatted(version);
            case V1_36 -> "enable GangScheduling at multiPoint in --config";
            case V1_37 ->
                "kube-scheduler 1.37 does the same by default; to simulate its feature gate"
                    + " GenericWorkload, enable GangScheduling at multiPoint in --config";
          };
      spec.commandLine()
          .getErr()
          .println(
              "warning: spec.schedulingGroup: %d pending pods belong to gangs, but no profile schedules gangs, so each pod is placed alone; %s"
                  .formatted(grouped, next));
    }
  }

  private List<Profile> profiles(Version version) {
    ProfileReader reader = new ProfileReader(version);
    List<Map<String, Object>> documents = new ArrayList<>();
    new ClusterFiles(documents::add, true, "name a KubeSchedulerConfiguration").read(config);
    if (documents.size() != 1) {
      throw new InvalidInputException(
          "config", config.toString(), "must contain one configuration", "remove the others");
    }
    List<Profile> profiles;
    try {
      profiles = reader.read(Fields.of(documents.getFirst(), ""));
    } catch (InvalidObjectException e) {
      throw e.in(config.toString());
    }
    reader.warnings().forEach(w -> spec.commandLine().getErr().println("warning: " + w));
    return profiles;
  }

  private Version version() {
    if (profile == null) {
      return Version.newest();
    }
    try {
      return Version.of(MinorVersion.parse(profile).toString());
    } catch (IllegalArgumentException e) {
      String known =
          Arrays.stream(Version.values()).map(Version::toString).collect(Collectors.joining(", "));
      throw new InvalidInputException(
          "profile", profile, "must be one of " + known, "name one of them");
    }
  }
}
