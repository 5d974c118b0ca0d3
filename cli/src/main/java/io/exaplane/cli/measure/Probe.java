// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A client that reads an object from the store each second, and notes what fails and how long it
 * takes: what others see of a measurement. Has a thread of its own.
 */
final class Probe implements AutoCloseable {
  private static final String PATH = "/api/v1/namespaces/kube-system";

  private final ApiServer server;
  private final List<Double> seconds = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private final EverySecond ticks;

  /** Begins; throws if the account may not do what is to be watched. */
  Probe(ApiServer server) {
    server.fetch(PATH);
    this.server = server;
    this.ticks = new EverySecond("probe", this::probe);
  }

  /**
   * What it saw.
   *
   * @param failures what the failed ones got, the first of them
   */
  record Seen(
      int requests, int failed, List<String> failures, double medianSeconds, double maxSeconds) {}

  private void probe() {
    long start = System.nanoTime();
    try {
      ApiServer.Answer answer = server.get(PATH, Map.of());
      if (answer.status() != 200) {
        failures.add("status " + answer.status());
      }
    } catch (MeasurementException e) {
      failures.add(e.getMessage());
    }
    // Also of what failed: nobody waits less for a request without an answer.
    seconds.add((System.nanoTime() - start) / 1e9);
  }

  /** Ends it; what it saw is whole only then. */
  Seen end() {
    close();
    double[] sorted = seconds.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return new Seen(
        sorted.length,
        failures.size(),
        failures.stream().distinct().limit(3).toList(),
        sorted.length == 0 ? 0 : sorted[sorted.length / 2],
        sorted.length == 0 ? 0 : sorted[sorted.length - 1]);
  }

  @Override
  public void close() {
    ticks.close();
  }
}
