// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Kubernetes;
import io.exaplane.testbed.machine.Server;
import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.apf.FlowControl;
import io.exaplane.tuning.apf.Seats;
import io.exaplane.tuning.version.Component;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A kube-apiserver with what the model says for a cluster of some size, and what can be asked of it
 * then: its flags cost a start, so one start is for all.
 */
final class Started implements AutoCloseable {
  private static final Pattern SEATS =
      Pattern.compile(
          "apiserver_flowcontrol_(nominal|lower|upper)_limit_seats\\{priority_level=\"([^\"]+)\"\\}"
              + " (\\S+)");

  private final ControlPlanes controlPlanes;
  private final Path folder;
  private final Tuning plain;
  private final Tuning tuning;
  private ControlPlane controlPlane;

  Started(ControlPlanes controlPlanes, Path folder, long nodes) {
    this.controlPlanes = controlPlanes;
    this.folder = folder;
    this.plain = Clusters.tuning(nodes);
    this.tuning = Clusters.tuning(nodes, Asked.NAMED_CLIENTS);
  }

  /** Starts it, and asks for its version. */
  void start() throws Exception {
    // Who is heavy is a matter of objects, and of no flag.
    assertThat(tuning.arguments(Component.KUBE_APISERVER))
        .isEqualTo(plain.arguments(Component.KUBE_APISERVER));
    controlPlane = controlPlanes.start(Files.createTempDirectory(folder, "start"), plain);
    assertThat(Http.get(controlPlane.uri("/version")).body())
        .contains("\"gitVersion\": \"v" + Kubernetes.version());
  }

  /** Those of a cluster of the same size. */
  void clientsStart() throws Exception {
    clients(running(), plain);
  }

  /** Starts a controller manager and a scheduler beside each other. */
  static void clients(ControlPlane controlPlane, Tuning tuning) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Server> manager =
          threads.submit(() -> controlPlane.startControllerManager(tuning, List.of()));
      controlPlane.startScheduler(tuning, List.of());
      manager.get();
    }
  }

  private ControlPlane running() {
    assertThat(controlPlane).as("it did not start").isNotNull();
    return controlPlane;
  }

  /**
   * The kube-apiserver has the seats that the model says, before and after it takes our objects.
   */
  void everyLevelHasItsSeats() throws Exception {
    FlowControl flowControl = FlowControl.of(tuning.estimate(), Clusters.MATRIX);
    awaitSeats(flowControl.seatsBefore());
    running().apply(flowControl);
    awaitSeats(flowControl.seatsAfter());
  }

  /** The server takes new levels up by itself, within some seconds. */
  private void awaitSeats(Map<String, Seats> expected) throws Exception {
    Await.until(
        "the seats are " + new TreeMap<>(expected), () -> seats().equals(expected), this::seats);
  }

  private Map<String, Seats> seats() throws Exception {
    Matcher lines = SEATS.matcher(Http.get(running().uri("/metrics")).body());
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

  @Override
  public void close() {
    if (controlPlane != null) {
      controlPlane.close();
    }
  }
}
