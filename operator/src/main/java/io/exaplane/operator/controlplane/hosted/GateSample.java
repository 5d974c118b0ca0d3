// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import io.exaplane.operator.controlplane.rollout.ServerSample;
import java.util.Optional;

/**
 * What a gate wants of the page of metrics of one kube-apiserver. Immutable.
 *
 * @param throttled answers 429 since the start of the process, but for those to evictions
 */
record GateSample(ServerSample sample, double throttled) {
  /** Whether the same process counts on. */
  boolean follows(GateSample before) {
    return sample.follows(before.sample) && throttled >= before.throttled;
  }

  /** Reads a page line by line. Used by one thread. */
  static final class Reader {
    private static final String REQUESTS = "apiserver_request_total{";
    private static final String CODE = "code=\"429\"";

    /** A PodDisruptionBudget answers 429, too, and is no sign of load. */
    private static final String EVICTION = "subresource=\"eviction\"";

    private final ServerSample.Reader rest = new ServerSample.Reader();
    private double throttled;

    void line(String line) {
      rest.line(line);
      if (line.startsWith(REQUESTS) && isThrottled(line)) {
        throttled += value(line);
      }
    }

    private static boolean isThrottled(String line) {
      int at = line.indexOf(CODE);
      return at > 0
          && !line.contains(EVICTION)
          && (line.charAt(at - 1) == '{' || line.charAt(at - 1) == ',');
    }

    private static double value(String line) {
      String text = line.substring(line.lastIndexOf('}') + 1).strip();
      int space = text.indexOf(' ');
      try {
        return Double.parseDouble(space < 0 ? text : text.substring(0, space));
      } catch (NumberFormatException unreadable) {
        return 0;
      }
    }

    /** Nothing if the page is not one of a kube-apiserver. */
    Optional<GateSample> sample() {
      return rest.sample().map(sample -> new GateSample(sample, throttled));
    }
  }
}
