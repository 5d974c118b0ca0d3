// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.cli.kubelets.HostMachine;
import io.exaplane.cli.kubelets.KubeletSettings;
import io.exaplane.cli.kubelets.ProcessUsage;
import io.exaplane.cli.measure.MeasurementException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Real kubelets in namespaces of this machine. */
public final class KubeletsLoad extends Load {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration TOKEN_LIFE = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String NODES = "/api/v1/nodes";

  private final Settings settings;
  private final HostMachine machine;
  private final Path kubeconfig;
  private final String context;
  private final Map<String, Object> figures = new LinkedHashMap<>();
  private volatile int ready;

  /**
   * What is started.
   *
   * @param perSecond starts of hosts
   * @param duration after the last Node is Ready
   * @param hosts programs and addresses
   */
  public record Settings(int count, double perSecond, Duration duration, KubeletSettings hosts) {}

  /**
   * Starts nothing yet.
   *
   * @param kubeconfig null for what kubectl would take
   * @param context null for the current one
   */
  public KubeletsLoad(Settings settings, Path kubeconfig, String context) {
    this.settings = settings;
    this.kubeconfig = kubeconfig;
    this.context = context;
    this.machine = new HostMachine(settings.hosts(), Labels.PREFIX);
  }

  @Override
  public String name() {
    return "kubelets";
  }

  @Override
  public String plan() {
    return "start %,d kubelets in namespaces of this machine, and let them run for %d s"
        .formatted(settings.count(), settings.duration().toSeconds());
  }

  @Override
  Map<String, Object> settings() {
    KubeletSettings hosts = settings.hosts();
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("count", settings.count());
    all.put("rate", settings.perSecond());
    all.put("duration", settings.duration().toString());
    all.put("kubelet", hosts.kubelet());
    hosts.proxy().ifPresent(proxy -> all.put("kube-proxy", proxy));
    hosts.server().ifPresent(server -> all.put("server", server));
    all.put("prefix", hosts.addresses().prefix());
    all.put("lease-duration", Duration.ofSeconds(hosts.leaseSeconds()).toString());
    return all;
  }

  @Override
  long watches() {
    return 0;
  }

  /** Leases and CSINodes belong to Nodes, so the cluster deletes them. */
  @Override
  List<Resource> resources() {
    return List.of(Resource.NODES);
  }

  @Override
  void run(Run run) {
    requireImpersonation(run);
    machine.prepare(kubeconfig, context);
    run.warn(machine.warning());
    run.begin("start");
    long began = System.nanoTime();
    for (int i = 0; i < settings.count(); i++) {
      machine.start(
          Labels.name(run.id(), i), i, Labels.of(name(), run.id()), Labels.TAINT + "=" + name());
      long due = began + (long) ((i + 1) * 1e9 / settings.perSecond());
      run.pause(Duration.ofNanos(Math.max(0, due - System.nanoTime())));
    }
    awaitReady(run);
    figures.put("nodes", ready);
    figures.put("secondsUntilAllReady", (System.nanoTime() - began) / 1e9);
    run.begin("steady");
    Map<String, ProcessUsage> before = machine.usage();
    long steady = System.nanoTime();
    watchOver(run);
    book(before, machine.usage(), (System.nanoTime() - steady) / 1e9);
    ready = readyNodes(run).size();
    figures.put("nodesReadyAtTheEnd", ready);
  }

  /** Kubelets only log it. */
  private void requireImpersonation(Run run) {
    String node = Labels.name(run.id(), 0);
    Answer answer = run.ask(Call.get("nodes", NODES + "/" + node).as(node));
    if (answer.status() == Answer.FORBIDDEN && answer.words().contains("impersonate")) {
      throw new MeasurementException(
          "%s; let the account impersonate the users system:node:… and system:kube-proxy and the group system:nodes, or use another --context"
              .formatted(answer.words()));
    }
  }

  private void awaitReady(Run run) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      machine.requireAlive();
      Set<String> names = readyNodes(run);
      ready = names.size();
      if (ready >= settings.count()) {
        return;
      }
      if (System.nanoTime() > end) {
        throw new MeasurementException(late(run, names));
      }
      run.pause(LOOK);
    }
  }

  private String late(Run run, Set<String> names) {
    int first = 0;
    while (names.contains(Labels.name(run.id(), first))) {
      first++;
    }
    return "only %s after %d s, and the kubelet of the first other one says: %s; correct that, and run the command again"
        .formatted(progress(), PATIENCE.toSeconds(), machine.lastWords(first));
  }

  private static Set<String> readyNodes(Run run) {
    Answer answer =
        run.ask(
            Call.list("nodes", NODES + "?labelSelector=" + Labels.selector("kubelets", run.id()))
                .accepting(Call.JSON));
    Set<String> names = new HashSet<>();
    if (answer.isOk()) {
      try {
        for (JsonNode node : JSON.readTree(answer.body()).path("items")) {
          for (JsonNode condition : node.at("/status/conditions")) {
            if (condition.path("type").asText().equals("Ready")
                && condition.path("status").asText().equals("True")) {
              names.add(node.at("/metadata/name").asText());
            }
          }
        }
      } catch (IOException e) {
        throw new MeasurementException(
            "the list of nodes cannot be read (%s); check --context".formatted(e.getMessage()));
      }
    }
    return names;
  }

  private void watchOver(Run run) {
    long end = System.nanoTime() + settings.duration().toNanos();
    long token = System.nanoTime() + TOKEN_LIFE.toNanos();
    while (System.nanoTime() < end) {
      run.pause(Duration.ofNanos(Math.min(LOOK.toNanos(), end - System.nanoTime())));
      machine.requireAlive();
      if (System.nanoTime() > token) {
        machine.refreshToken();
        token += TOKEN_LIFE.toNanos();
      }
    }
  }

  /** For each node, in the mean. */
  private void book(
      Map<String, ProcessUsage> before, Map<String, ProcessUsage> after, double seconds) {
    Map<String, Object> all = new TreeMap<>();
    after.forEach(
        (program, usage) -> {
          Map<String, Object> each = new LinkedHashMap<>();
          Optional<ProcessUsage> earlier = Optional.ofNullable(before.get(program));
          each.put("millicores", usage.cpuSince(earlier) / seconds * 1000 / settings.count());
          each.put("memoryMiB", usage.memoryBytes() / (1 << 20) / settings.count());
          all.put(program, each);
        });
    figures.put("perNode", all);
  }

  @Override
  void stop(Run run) {
    machine.close();
  }

  @Override
  String progress() {
    return "%d of %d nodes Ready".formatted(ready, settings.count());
  }

  @Override
  int nodes() {
    return settings.count();
  }

  @Override
  Map<String, Latency> latencies() {
    return Map.of();
  }

  @Override
  Map<String, Object> figures() {
    return figures;
  }
}
