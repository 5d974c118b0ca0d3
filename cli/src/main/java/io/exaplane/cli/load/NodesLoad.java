// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Simulated nodes with the requests of kubelets. */
public final class NodesLoad extends Load {
  private static final Duration SURVEY = Duration.ofMillis(250);
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final String NAMESPACE = "kube-node-lease";

  private final Settings settings;
  private final List<WatchPlan.Entry> watches;
  private final List<SimulatedNode> nodes = new ArrayList<>();
  private final Times gaps = new Times();
  private Pace pace;
  private volatile double renewedPerSecond;
  private volatile int running;
  private volatile int foreign;
  private volatile boolean isSettled;
  private volatile boolean isStopped;

  /**
   * What is simulated.
   *
   * @param perSecond registrations
   * @param duration after the last node is registered
   * @param watches as {@link WatchPlan} reads it
   * @param asNodes whether requests are sent in the names of the nodes
   * @param watchList whether watches begin as a stream, as in client-go since 1.35
   */
  public record Settings(
      int count,
      double perSecond,
      Duration duration,
      Duration lease,
      Duration statusUpdate,
      Duration statusReport,
      int images,
      String watches,
      boolean asNodes,
      boolean watchList) {}

  /** Reads the watches; creates nothing yet. */
  public NodesLoad(Settings settings) {
    this.settings = settings;
    this.watches = WatchPlan.of(settings.watches());
  }

  @Override
  public String name() {
    return "nodes";
  }

  @Override
  public String plan() {
    return "register %,d simulated nodes at %s/s, hold %,d watches, and renew their Leases for %d s"
        .formatted(
            settings.count(), settings.perSecond(), watches(), settings.duration().toSeconds());
  }

  @Override
  Map<String, Object> settings() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("count", settings.count());
    all.put("rate", settings.perSecond());
    all.put("duration", settings.duration().toString());
    all.put("lease-duration", settings.lease().toString());
    all.put("status-update-frequency", settings.statusUpdate().toString());
    all.put("status-report-frequency", settings.statusReport().toString());
    all.put("images", settings.images());
    all.put("watches", settings.watches());
    all.put("own-account", !settings.asNodes());
    all.put("watch-list", settings.watchList());
    return all;
  }

  @Override
  long watches() {
    return (long) settings.count() * watches.size();
  }

  @Override
  String namespace() {
    return NAMESPACE;
  }

  @Override
  List<Resource> resources() {
    return List.of(Resource.NODES, Resource.LEASES);
  }

  @Override
  int nodes() {
    return settings.count();
  }

  private KubeletTimes times() {
    return new KubeletTimes(settings.lease(), settings.statusUpdate(), settings.statusReport());
  }

  @Override
  void run(Run run) {
    Map<String, String> labels = Labels.of(name(), run.id());
    SimulatedNode.Settings common =
        new SimulatedNode.Settings(
            times(),
            labels,
            settings.images(),
            watches,
            settings.asNodes(),
            settings.watchList(),
            new LeaseKeeper.Settings(
                NAMESPACE,
                labels,
                settings.lease(),
                times().heartbeatTimeout(),
                settings.asNodes(),
                gaps));
    for (int i = 0; i < settings.count(); i++) {
      nodes.add(
          new SimulatedNode(
              common,
              run.api(),
              run.timer(),
              run.books(),
              run.random(),
              Labels.name(run.id(), i),
              i));
    }
    pace =
        new Pace(
            run.timer(),
            settings.perSecond(),
            settings.count(),
            () -> true,
            number -> nodes.get(number).start());
    run.begin("register");
    run.timer().execute(pace::start);
    run.timer().execute(() -> survey(run.timer()));
    run.await(
        PATIENCE.plusSeconds((long) (settings.count() / settings.perSecond())),
        "not all nodes are registered",
        () -> isSettled);
    run.begin("steady");
    gaps.reset();
    long began = run.timer().nanos();
    run.pause(settings.duration());
    run.onTimer(
        () -> {
          renewedPerSecond = gaps.latency().count() / ((run.timer().nanos() - began) / 1e9);
          nodes.forEach(each -> each.bookOpenGap(settings.lease().toNanos()));
        });
  }

  /** How far the nodes are, for other threads. */
  private void survey(Timer timer) {
    if (isStopped) {
      return;
    }
    running = count(SimulatedNode.State.RUNNING);
    foreign = count(SimulatedNode.State.FOREIGN);
    isSettled = nodes.stream().allMatch(SimulatedNode::isSettled);
    if (!isSettled) {
      timer.after(SURVEY.toNanos(), () -> survey(timer));
    }
  }

  private int count(SimulatedNode.State state) {
    return (int) nodes.stream().filter(node -> node.state() == state).count();
  }

  @Override
  void stop(Run run) {
    isStopped = true;
    run.timer()
        .execute(
            () -> {
              if (pace != null) {
                pace.stop();
              }
              nodes.forEach(SimulatedNode::stop);
            });
  }

  @Override
  String progress() {
    return "%d of %d nodes".formatted(running, settings.count())
        + (foreign > 0 ? ", %d names are taken".formatted(foreign) : "");
  }

  @Override
  Map<String, Latency> latencies() {
    return Map.of("betweenRenewals", gaps.latency());
  }

  @Override
  Map<String, Object> figures() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("nodes", running);
    all.put("foreignNodes", foreign);
    // The jitter is 2 % in the mean.
    all.put("renewalsPerSecondExpected", running / (times().renewal().toNanos() / 1e9 * 1.02));
    all.put("renewalsPerSecond", renewedPerSecond);
    all.put("renewalsLaterThanLease", gaps.longerThan(settings.lease().toNanos()));
    return all;
  }
}
