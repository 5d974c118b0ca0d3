// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.app;

import io.exaplane.scheduler.engine.queue.Waiting;
import io.exaplane.scheduler.gather.Picture;
import io.exaplane.scheduler.lease.Lease;
import io.exaplane.scheduler.lease.Standing;
import io.exaplane.scheduler.root.Counts;
import io.exaplane.scheduler.root.Durations;
import io.exaplane.scheduler.root.Root;
import io.exaplane.scheduler.tree.Up;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.IntSummaryStatistics;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;
import org.eclipse.microprofile.health.Readiness;

/** How the process is, for kubelets and dashboards. Any thread. */
@Singleton
public final class Status {
  private volatile Lease lease;
  private volatile Root root;
  private volatile TreeProcess below;

  private final Timers timers;

  /** Counts what becomes of pods, under these names. */
  public Status(MeterRegistry registry) {
    timers = new Timers(registry);
    waiting(registry, "active", Waiting::active);
    waiting(registry, "backoff", Waiting::backoff);
    waiting(registry, "unschedulable", Waiting::unschedulable);
    waiting(registry, "gated", Waiting::gated);
    Gauge.builder("exaplane_scheduler_oldest_pending_seconds", this, Status::oldestSeconds)
        .description("Waiting time of the oldest pending pod that is not gated")
        .register(registry);
    Gauge.builder("exaplane_scheduler_leader", this, status -> status.isInCharge() ? 1 : 0)
        .description("1 if this process is in charge, else 0")
        .register(registry);
    count(registry, "decided", "Decisions that found a node for a pod", Counts::decided);
    count(registry, "bound", "Pods that were bound to their node", Counts::bound);
    count(registry, "binding_failed", "Bindings that failed", Counts::failed);
    count(registry, "refused", "Decisions that found no node for a pod", Counts::refused);
    count(
        registry, "preempted", "Pods that were evicted for more important pods", Counts::preempted);
    count(registry, "by_shards", "Turns that the answers of shards decided", Counts::byShards);
    count(registry, "alone", "Turns in which the answers of shards did not help", Counts::alone);
    FunctionCounter.builder(
            "exaplane_scheduler_events_dropped", this, status -> status.counts().droppedEvents())
        .description("Events that were left out, since there were too many")
        .register(registry);
    gauge(registry, "shards", "Shards in the tree", tree -> members(tree, Up.Kind.SHARD));
    gauge(registry, "relays", "Relays in the tree", tree -> members(tree, Up.Kind.RELAY));
    gauge(
        registry,
        "complete",
        "1 if shards know all nodes, else 0",
        tree -> tree.complete() ? 1 : 0);
    gauge(
        registry,
        "nodes_most",
        "Nodes of the shard that has most nodes",
        tree -> nodes(tree).getMax());
    gauge(
        registry,
        "nodes_fewest",
        "Nodes of the shard that has fewest nodes",
        tree -> nodes(tree).getMin());
  }

  private void waiting(MeterRegistry registry, String queue, ToDoubleFunction<Waiting> value) {
    Gauge.builder(
            "exaplane_scheduler_pending_pods",
            this,
            status -> value.applyAsDouble(status.waiting()))
        .description("Pending pods, by queue")
        .tag("queue", queue)
        .register(registry);
  }

  /** Who waits, as far as this process decides. */
  Waiting waiting() {
    Root running = root;
    return running == null ? Waiting.NONE : running.waiting();
  }

  /** How long the first of them waits that is not gated; 0 if nobody does. */
  double oldestSeconds() {
    long since = waiting().oldestSinceNs();
    long now = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    return since == Waiting.NOBODY ? 0 : Math.max(0, now - since) / 1e9;
  }

  /** Takes note of how long things take. */
  Durations durations() {
    return timers;
  }

  private void gauge(
      MeterRegistry registry, String name, String what, ToDoubleFunction<Picture> value) {
    Gauge.builder(
            "exaplane_scheduler_tree_" + name, this, status -> value.applyAsDouble(status.tree()))
        .description(what)
        .register(registry);
  }

  /** How the tree below this process is. */
  Picture tree() {
    Root running = root;
    Picture picture = running == null ? null : running.picture();
    return picture == null ? Picture.NONE : picture;
  }

  private static long members(Picture tree, Up.Kind kind) {
    return tree.members().stream().filter(member -> member.kind() == kind).count();
  }

  private static IntSummaryStatistics nodes(Picture tree) {
    IntSummaryStatistics nodes = new IntSummaryStatistics();
    tree.members().stream()
        .filter(member -> member.kind() == Up.Kind.SHARD)
        .forEach(member -> nodes.accept(member.nodes()));
    if (nodes.getCount() == 0) {
      nodes.accept(0);
    }
    return nodes;
  }

  private void count(
      MeterRegistry registry, String name, String what, ToDoubleFunction<Counts> value) {
    FunctionCounter.builder(
            "exaplane_scheduler_pods_" + name, this, status -> value.applyAsDouble(status.counts()))
        .description(what)
        .register(registry);
  }

  /** What became of pods, as far as this process decided. */
  Counts counts() {
    Root running = root;
    return running == null ? Counts.NONE : running.counts();
  }

  /** Somebody else is in charge, or nobody yet; null if nobody else can be. */
  void waits(Lease askedFor) {
    lease = askedFor;
  }

  /** This process is in charge. */
  void runs(Root running) {
    root = running;
  }

  /** What this process does. */
  String role() {
    TreeProcess process = below;
    return process != null ? process.role() : root == null ? "stands by" : "in charge";
  }

  /** This process is a relay or a shard. */
  void isBelow(TreeProcess process) {
    below = process;
  }

  private boolean isInCharge() {
    Lease held = lease;
    return root != null && (held == null || held.standing() == Standing.HELD);
  }

  /** Whether it can wait for its turn, or has it and knows all that decides. */
  @Produces
  @Readiness
  HealthCheck ready() {
    return () -> {
      TreeProcess process = below;
      if (process != null) {
        return HealthCheckResponse.named("scheduler")
            .status(process.isMember())
            .withData("role", role())
            .build();
      }
      Root running = root;
      Lease asked = lease;
      boolean up =
          running == null ? asked != null && asked.isKnown() : isInCharge() && running.isInStep();
      return HealthCheckResponse.named("scheduler").status(up).withData("role", role()).build();
    };
  }

  /** Whether it still decides. */
  @Produces
  @Liveness
  HealthCheck alive() {
    return () -> {
      Root running = root;
      boolean up = running == null || running.isRunning();
      return HealthCheckResponse.named("root").status(up).build();
    };
  }
}
