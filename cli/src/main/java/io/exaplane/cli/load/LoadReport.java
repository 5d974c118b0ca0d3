// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/**
 * What a load did and got. Immutable.
 *
 * @param load nodes, leases, pods or watches
 * @param run value of the label {@code exaplane.io/bench-run} of its objects
 * @param server URL
 * @param settings by the names of the options
 * @param watches when the last phase before the clean-up ended
 * @param latencies of more than one request, by what they measure, ms
 * @param figures of this load
 * @param problems the first refusal of each operation
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LoadReport(
    String load,
    String run,
    String server,
    Map<String, Object> settings,
    List<Phase> phases,
    List<Watches> watches,
    Map<String, Latency> latencies,
    Map<String, Object> figures,
    Map<String, String> problems,
    Client client,
    CleanUp cleanUp) {

  /** A part of a run. */
  public record Phase(String name, double seconds, List<Requests> requests) {}

  /**
   * Requests of one operation.
   *
   * @param status counts by status of HTTP; "none" stands for no answer
   * @param latencyMs to the end of the answer, but for 429; of watches, to their beginning
   */
  public record Requests(
      String verb,
      String resource,
      long count,
      double perSecond,
      Map<String, Long> status,
      long sentBytes,
      long receivedBytes,
      Latency latencyMs) {}

  /**
   * Watches of one resource.
   *
   * @param perNode open ones; null if the load has no nodes
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Watches(
      String resource,
      long open,
      Double perNode,
      long opened,
      long ended,
      long events,
      long eventBytes) {}

  /**
   * This process, in the last phase before the clean-up.
   *
   * @param cpuSeconds that it used in that phase
   * @param heapBytes in use after a collection at its end
   */
  public record Client(int connections, double cpuSeconds, long heapBytes) {}

  /**
   * What was deleted.
   *
   * @param deleted by resource
   */
  public record CleanUp(Map<String, Integer> deleted, double seconds) {}

  LoadReport cleaned(CleanUp done, List<Phase> all) {
    return new LoadReport(
        load, run, server, settings, all, watches, latencies, figures, problems, client, done);
  }
}
