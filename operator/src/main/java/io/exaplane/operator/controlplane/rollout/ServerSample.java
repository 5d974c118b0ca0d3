// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.rollout;

import java.util.HashSet;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the page of metrics of a kube-apiserver says at one moment; counters count from the start of
 * the process. Immutable.
 *
 * @param durations of all short requests
 * @param lists LISTs, and watches that begin with all objects
 * @param inflight most requests at work within the last second
 * @param caches labels of the watch caches
 * @param initialised labels of those that are initialised
 */
public record ServerSample(
    DurationCounts durations,
    double lists,
    double inflight,
    Set<String> caches,
    Set<String> initialised) {

  DurationCounts since(ServerSample before) {
    return durations.since(before.durations);
  }

  /** Whether the same process counts on: a new one begins at 0. */
  public boolean follows(ServerSample before) {
    return lists >= before.lists
        && (before.durations.upTo().isEmpty()
            || durations.upTo().getOrDefault(Double.POSITIVE_INFINITY, 0.0)
                >= before.durations.upTo().getOrDefault(Double.POSITIVE_INFINITY, 0.0));
  }

  /**
   * Reads a page line by line and keeps a few numbers: such a page may have many megabytes. Used by
   * one thread.
   */
  public static final class Reader {
    private static final String DURATION = "apiserver_request_duration_seconds_bucket{";
    private static final String REQUESTS = "apiserver_request_total{";
    private static final String WATCH_LISTS = "apiserver_watch_list_duration_seconds_count{";
    private static final String INFLIGHT = "apiserver_current_inflight_requests{";
    private static final String CACHE = "watch_cache_capacity{";
    private static final String LATER_CACHE = "apiserver_watch_cache_capacity{";
    private static final String INITIALISED = "apiserver_watch_cache_initializations_total{";

    /** Requests that take as long as their client wants. */
    private static final Set<String> LONG = Set.of("WATCH", "WATCHLIST", "CONNECT", "PROXY");

    private final NavigableMap<Double, Double> upTo = new TreeMap<>();
    private final Set<String> caches = new HashSet<>();
    private final Set<String> initialised = new HashSet<>();
    private double lists;
    private double inflight;
    private boolean known;

    /** Takes the next line. */
    public void line(String line) {
      int end = line.lastIndexOf('}');
      if (end < 0 || line.charAt(0) == '#') {
        return;
      }
      if (line.startsWith(DURATION)) {
        duration(line, end);
      } else if (line.startsWith(REQUESTS)) {
        lists += "LIST".equals(label(line, end, "verb")) ? value(line, end) : 0;
      } else if (line.startsWith(WATCH_LISTS)) {
        lists += value(line, end);
      } else if (line.startsWith(INFLIGHT)) {
        inflight += value(line, end);
        known = true;
      } else if (line.startsWith(CACHE)) {
        caches.add(line.substring(CACHE.length(), end));
      } else if (line.startsWith(LATER_CACHE)) {
        caches.add(line.substring(LATER_CACHE.length(), end));
      } else if (line.startsWith(INITIALISED) && value(line, end) > 0) {
        initialised.add(line.substring(INITIALISED.length(), end));
      }
    }

    /** What the page said; nothing if it is not one of a kube-apiserver. */
    public Optional<ServerSample> sample() {
      return known
          ? Optional.of(
              new ServerSample(
                  new DurationCounts(upTo),
                  lists,
                  inflight,
                  Set.copyOf(caches),
                  Set.copyOf(initialised)))
          : Optional.empty();
    }

    /** Of probes and pages, whose resource is empty, nothing is learned: who asks them can wait. */
    private void duration(String line, int end) {
      String verb = label(line, end, "verb");
      if (LONG.contains(verb)
          || label(line, end, "resource").isEmpty()
          || "log".equals(label(line, end, "subresource"))) {
        return;
      }
      String bound = label(line, end, "le");
      double seconds = "+Inf".equals(bound) ? Double.POSITIVE_INFINITY : number(bound, Double.NaN);
      if (!Double.isNaN(seconds)) {
        upTo.merge(seconds, value(line, end), Double::sum);
      }
    }

    /** The value of a label; "" without it. Values of these labels have no quotes inside. */
    private static String label(String line, int end, String name) {
      String key = name + "=\"";
      for (int at = line.indexOf(key); at >= 0 && at < end; at = line.indexOf(key, at + 1)) {
        char before = line.charAt(at - 1);
        if (before == '{' || before == ',') {
          int from = at + key.length();
          return line.substring(from, line.indexOf('"', from));
        }
      }
      return "";
    }

    private static double value(String line, int end) {
      String text = line.substring(end + 1).strip();
      int space = text.indexOf(' ');
      return number(space < 0 ? text : text.substring(0, space), 0);
    }

    private static double number(String text, double otherwise) {
      try {
        return Double.parseDouble(text);
      } catch (NumberFormatException unreadable) {
        return otherwise;
      }
    }
  }
}
