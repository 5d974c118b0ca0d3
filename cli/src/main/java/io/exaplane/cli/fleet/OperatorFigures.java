// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.fleet;

import io.exaplane.cli.measure.MeasurementException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an operator says of itself in its metrics.
 *
 * @param threads platform threads
 * @param heapBytes of Java's heap, with what is garbage already
 * @param otherBytes that Java uses outside of the heap
 * @param openFiles open files and connections
 * @param passes of ControlPlanes since its start
 * @param passSeconds the sum of their durations
 * @param cpuSeconds of the process since its start
 * @param collectionSeconds in which the process stood still to collect its heap
 * @param upSeconds since its start
 * @param cores of the machine
 */
public record OperatorFigures(
    int threads,
    double heapBytes,
    double otherBytes,
    int openFiles,
    double passes,
    double passSeconds,
    double cpuSeconds,
    double collectionSeconds,
    double upSeconds,
    double cores) {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String PASSES =
      "operator_sdk_controllers_execution_reconcile_seconds_%s{controller=\"controlplane\"";

  /**
   * Reads the page.
   *
   * @throws MeasurementException if it does not answer, or is another program's
   */
  public static OperatorFigures read(URI page) {
    try (HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(page).timeout(PATIENCE).build(),
              HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new MeasurementException(
            "%s answers with status %d; set --metrics to the operator's page /q/metrics"
                .formatted(page, answer.statusCode()));
      }
      return parse(answer.body());
    } catch (IOException e) {
      throw new MeasurementException(
          "%s does not answer (%s); check that 'kubectl port-forward' to the operator still runs"
              .formatted(page, e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  static OperatorFigures parse(String page) {
    if (!page.contains("jvm_threads_live_threads")) {
      throw new MeasurementException(
          "the page of --metrics has no jvm_threads_live_threads; set --metrics to the operator's page /q/metrics");
    }
    return new OperatorFigures(
        (int) sum(page, "jvm_threads_live_threads"),
        sum(page, "jvm_memory_used_bytes{area=\"heap\""),
        sum(page, "jvm_memory_used_bytes{area=\"nonheap\""),
        (int) sum(page, "process_files_open_files"),
        sum(page, PASSES.formatted("count")),
        sum(page, PASSES.formatted("sum")),
        sum(page, "process_cpu_time_ns_total") / 1e9,
        sum(page, "jvm_gc_pause_seconds_sum"),
        sum(page, "process_uptime_seconds"),
        sum(page, "system_cpu_count"));
  }

  /** Of all lines that begin so; 0 for none. */
  private static double sum(String page, String begin) {
    Matcher lines =
        Pattern.compile("(?m)^" + Pattern.quote(begin) + "(?:[{,][^}\\n]*)?}? (\\S+)$")
            .matcher(page);
    double sum = 0;
    while (lines.find()) {
      sum += Double.parseDouble(lines.group(1));
    }
    return sum;
  }
}
