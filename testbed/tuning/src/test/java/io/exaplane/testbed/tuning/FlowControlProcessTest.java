// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import io.exaplane.testbed.machine.Http;
import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.apf.FlowControl;
import io.exaplane.tuning.apf.Seats;
import io.exaplane.tuning.model.Input;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real kube-apiserver takes our objects, and has the seats that the model says. */
class FlowControlProcessTest {
  private static final Pattern SEATS =
      Pattern.compile(
          "apiserver_flowcontrol_(nominal|lower|upper)_limit_seats\\{priority_level=\"([^\"]+)\"\\} (\\S+)");
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(longs = {1_000, 100_000, 1_000_000})
  void everyLevelHasTheSeatsThatTheModelSays(long nodes) throws Exception {
    Tuning tuning =
        Clusters.tuning(
            nodes,
            Map.of(
                Input.AGENTS, "monitoring/telemetry",
                Input.HEAVY_LISTERS, "tools/inventory",
                Input.BREAK_GLASS_GROUP, "sre"));
    FlowControl flowControl = FlowControl.of(tuning.estimate(), Clusters.MATRIX);
    try (ControlPlane controlPlane = ControlPlane.start(folder, tuning)) {
      awaitSeats(controlPlane, flowControl.seatsBefore());
      controlPlane.apply(flowControl);
      awaitSeats(controlPlane, flowControl.seatsAfter());
    }
  }

  /** The server takes new levels up by itself, within some seconds. */
  private static void awaitSeats(ControlPlane controlPlane, Map<String, Seats> expected)
      throws Exception {
    Await.until(
        "the seats are " + new TreeMap<>(expected),
        () -> seats(controlPlane).equals(expected),
        () -> seats(controlPlane));
  }

  private static Map<String, Seats> seats(ControlPlane controlPlane) throws Exception {
    Matcher lines = SEATS.matcher(Http.get(controlPlane.uri("/metrics")).body());
    Map<String, Map<String, Integer>> limits = new TreeMap<>();
    while (lines.find()) {
      limits
          .computeIfAbsent(lines.group(2), level -> new TreeMap<>())
          .put(lines.group(1), (int) Double.parseDouble(lines.group(3)));
    }
    Map<String, Seats> seats = new TreeMap<>();
    limits.forEach(
        (level, limit) ->
            seats.put(
                level, new Seats(limit.get("nominal"), limit.get("lower"), limit.get("upper"))));
    return seats;
  }
}
