// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.measure;

import io.exaplane.tuning.model.InvalidInputException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a Go process says of itself in {@code /metrics}.
 *
 * @param startSeconds when it started, so that two servers are not taken for one
 * @param cpuSeconds that it has used, in steps of a hundredth
 */
public record ServerFigures(
    double startSeconds, double cpuSeconds, double heapBytes, double residentBytes) {
  static ServerFigures parse(String page) {
    return new ServerFigures(
        value(page, "process_start_time_seconds"),
        value(page, "process_cpu_seconds_total"),
        value(page, "go_memstats_heap_alloc_bytes"),
        value(page, "process_resident_memory_bytes"));
  }

  private static double value(String page, String name) {
    Matcher matcher = Pattern.compile("(?m)^" + name + " (\\S+)").matcher(page);
    if (!matcher.find()) {
      throw new InvalidInputException(
          "kubeconfig",
          name,
          "is missing in the server's /metrics",
          "use an account that may get /metrics");
    }
    return Double.parseDouble(matcher.group(1));
  }

  /** Core-seconds between two looks at one server. */
  double cpuSince(ServerFigures before) {
    mustBeOf(before);
    return cpuSeconds - before.cpuSeconds;
  }

  /** Bytes of heap more than at another look at the server. */
  double heapSince(ServerFigures before) {
    mustBeOf(before);
    return heapBytes - before.heapBytes;
  }

  private void mustBeOf(ServerFigures before) {
    if (startSeconds != before.startSeconds) {
      throw new InvalidInputException(
          "kubeconfig",
          "server",
          "reaches several kube-apiservers, or a restarted one, and their figures cannot be told "
              + "apart",
          "use the address of one kube-apiserver");
    }
  }
}
