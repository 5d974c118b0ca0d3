// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.app;

import io.exaplane.scheduler.root.Durations;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Histograms of how long things take, with kube-scheduler's kind of buckets. Any thread. */
final class Timers implements Durations {
  private final Timer decisions;
  private final Timer bindings;
  private final Timer pods;

  Timers(MeterRegistry registry) {
    decisions =
        timer(
            registry,
            "decision",
            "Time to decide about a pod",
            buckets(Duration.ofNanos(1000), 4, 12));
    bindings =
        timer(
            registry,
            "binding",
            "Time from a decision until the pod is bound",
            buckets(Duration.ofMillis(1), 2, 15));
    pods =
        timer(
            registry,
            "pod",
            "Time from the arrival of a pod, or from the end of its gates, until it is bound",
            buckets(Duration.ofMillis(10), 2, 20));
  }

  private static Duration[] buckets(Duration first, int factor, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> first.multipliedBy((long) Math.pow(factor, i)))
        .toArray(Duration[]::new);
  }

  private static Timer timer(
      MeterRegistry registry, String name, String description, Duration... buckets) {
    return Timer.builder("exaplane_scheduler_" + name)
        .description(description)
        .serviceLevelObjectives(buckets)
        .register(registry);
  }

  @Override
  public void decided(long ns) {
    decisions.record(ns, TimeUnit.NANOSECONDS);
  }

  @Override
  public void bound(long ns) {
    bindings.record(ns, TimeUnit.NANOSECONDS);
  }

  @Override
  public void scheduled(long ns) {
    pods.record(ns, TimeUnit.NANOSECONDS);
  }
}
