// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.server;

import io.exaplane.apply.port.ServerLoad;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Finds the figures of {@link ServerLoad} on a page of metrics. Pure. */
final class LoadPage {
  private static final String LIVE = "go_gc_heap_live_bytes";
  private static final String RESIDENT = "process_resident_memory_bytes";
  private static final String LIMIT = "go_gc_gomemlimit_bytes";
  private static final String SEATS = "apiserver_flowcontrol_current_executing_seats";
  private static final String ALL_SEATS = "apiserver_flowcontrol_nominal_limit_seats";
  private static final String QUEUED = "apiserver_flowcontrol_current_inqueue_requests";
  private static final String REJECTED = "apiserver_flowcontrol_rejected_requests_total";
  private static final String COLLECTIONS = "go_gc_cycles_total_gc_cycles_total";
  private static final Set<String> NAMES =
      Set.of(LIVE, RESIDENT, LIMIT, SEATS, ALL_SEATS, QUEUED, REJECTED, COLLECTIONS);

  /** Requests of this level take no seats of others. */
  private static final String EXEMPT = "priority_level=\"exempt\"";

  /** Go's word for no limit is the largest number; no machine has a petabyte of memory. */
  private static final double NO_LIMIT = 1L << 50;

  private LoadPage() {}

  static ServerLoad read(byte[] page) {
    Map<String, Double> sums = new HashMap<>();
    new String(page, StandardCharsets.UTF_8).lines().forEach(line -> take(line, sums));
    double limit = figure(sums, LIMIT);
    return new ServerLoad(
        figure(sums, LIVE),
        figure(sums, RESIDENT),
        limit >= NO_LIMIT ? -1 : limit,
        figure(sums, SEATS),
        figure(sums, ALL_SEATS),
        figure(sums, QUEUED),
        // A server that never refused anything has no such line.
        sums.containsKey(ALL_SEATS) ? sums.getOrDefault(REJECTED, 0.0) : -1,
        figure(sums, COLLECTIONS));
  }

  private static void take(String line, Map<String, Double> sums) {
    int end = 0;
    while (end < line.length() && line.charAt(end) != '{' && line.charAt(end) != ' ') {
      end++;
    }
    String name = line.substring(0, end);
    if (!NAMES.contains(name) || line.contains(EXEMPT)) {
      return;
    }
    try {
      double value = Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1).strip());
      sums.merge(name, value, Double::sum);
    } catch (NumberFormatException e) {
      // A line that another server writes: the figure stays unknown.
      return;
    }
  }

  private static double figure(Map<String, Double> sums, String name) {
    return sums.getOrDefault(name, -1.0);
  }
}
