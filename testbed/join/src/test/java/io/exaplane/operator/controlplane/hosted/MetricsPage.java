// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import io.exaplane.operator.controlplane.rollout.ServerLoad;
import io.exaplane.operator.guard.GateReading;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalInt;

/**
 * A page of metrics of a real kube-apiserver, read as the operator reads it. Immutable.
 *
 * @param bytes of the page
 */
public record MetricsPage(Instant at, Sample sample, int bytes) {
  /** Keeps what only the operator's package knows. */
  public static final class Sample {
    private final GateSample gate;

    private Sample(GateSample gate) {
      this.gate = gate;
    }
  }

  /** Reads it. */
  public static MetricsPage of(String page) {
    GateSample.Reader reader = new GateSample.Reader();
    page.lines().forEach(reader::line);
    return new MetricsPage(Instant.now(), new Sample(reader.sample().orElseThrow()), page.length());
  }

  /** Between an earlier page of the process and this one. */
  public GateReading since(MetricsPage before) {
    return new GateReading(
        at,
        "",
        load(before).requestP99Millis(),
        (long) Math.ceil(throttled(before) / seconds(before)),
        OptionalInt.empty());
  }

  public double listsPerSecond(MetricsPage before) {
    return (sample.gate.sample().lists() - before.sample.gate.sample().lists()) / seconds(before);
  }

  /** Answers 429. */
  public double throttled(MetricsPage before) {
    return sample.gate.throttled() - before.sample.gate.throttled();
  }

  private double seconds(MetricsPage before) {
    return Math.max(1, Duration.between(before.at, at).toMillis()) / 1_000.0;
  }

  private ServerLoad load(MetricsPage before) {
    return ServerLoad.between(
        before.sample.gate.sample(), sample.gate.sample(), seconds(before), 0);
  }
}
