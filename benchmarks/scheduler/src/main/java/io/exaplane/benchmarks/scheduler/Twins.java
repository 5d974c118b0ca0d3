// SPDX-License-Identifier: Apache-2.0
package io.exaplane.benchmarks.scheduler;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.OperatingSystemMXBean;
import io.exaplane.scheduler.engine.decision.Decider;
import io.exaplane.scheduler.engine.decision.Decision;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.ObjectReader;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.plugin.Profile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Places the pods of a {@link Workload} and says how long it took. {@code names} lists workloads,
 * {@code write NAME FILE} puts one into a file for the peer, {@code run NAME} runs one.
 */
public final class Twins {
  private static final double NANOS = 1e9;

  /** At least so long, so that what is measured is compiled as in a process that has been up. */
  private static final double WARM_UP_SECONDS = 15;

  private Twins() {}

  /** Runs the command that the arguments are. */
  public static void main(String[] args) throws IOException {
    switch (args[0]) {
      case "names" -> Workloads.ALL.keySet().forEach(System.out::println);
      case "write" -> write(workload(args[1]), Path.of(args[2]));
      case "run" -> System.out.println(run(workload(args[1])));
      default -> throw new IllegalArgumentException("names, write or run, not " + args[0]);
    }
  }

  private static Workload workload(String name) {
    if (!Workloads.ALL.containsKey(name)) {
      throw new IllegalArgumentException(name + ": not one of " + Workloads.ALL.keySet());
    }
    return Workloads.ALL.get(name).get();
  }

  private static void write(Workload workload, Path file) throws IOException {
    try (var out = new BufferedOutputStream(Files.newOutputStream(file))) {
      new ObjectMapper()
          .writeValue(
              out,
              Map.of(
                  "objects", workload.objects(),
                  "init", workload.init(),
                  "measured", workload.measured(),
                  "placed", workload.placed()));
    }
  }

  /** Pods placed a second, and microseconds of CPU time each took. */
  private static String run(Workload workload) {
    long begin = System.nanoTime();
    while ((System.nanoTime() - begin) / NANOS < WARM_UP_SECONDS) {
      once(workload);
    }
    return once(workload);
  }

  private static String once(Workload workload) {
    Cluster cluster = new Cluster();
    ObjectReader reader = new ObjectReader(cluster, Version.newest());
    Decider decider = new Decider(cluster, Profile.defaults(Version.newest()), 1, false);
    read(reader, workload.objects());
    place(workload.init(), cluster, reader, decider);
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long cpuNs = system.getProcessCpuTime();
    long begin = System.nanoTime();
    int placed = place(workload.measured(), cluster, reader, decider);
    double seconds = (System.nanoTime() - begin) / NANOS;
    double cpuSeconds = (system.getProcessCpuTime() - cpuNs) / NANOS;
    if (placed != workload.placed()) {
      throw new IllegalStateException(
          workload.name() + ": placed " + placed + " of " + workload.placed());
    }
    return "%.0f %.2f".formatted(placed / seconds, 1e6 * cpuSeconds / placed);
  }

  private static void read(ObjectReader reader, List<Map<String, Object>> objects) {
    for (Map<String, Object> object : objects) {
      reader.read(Fields.of(object, ""));
    }
  }

  /** Each pod comes, is decided about, and if it was told to wait for a node, once more. */
  private static int place(
      List<Map<String, Object>> pods, Cluster cluster, ObjectReader reader, Decider decider) {
    int placed = 0;
    for (Map<String, Object> object : pods) {
      Fields fields = Fields.of(object, "");
      reader.read(fields);
      Fields meta = fields.child("metadata");
      PlacedPod pod = cluster.pod(meta.string("namespace") + "/" + meta.string("name"));
      Decision decision = decider.decide(pod);
      decider.apply(decision);
      if (!decision.nominated().isEmpty()) {
        decision = decider.decide(pod);
        decider.apply(decision);
      }
      placed += decision.node().isEmpty() ? 0 : 1;
    }
    return placed;
  }
}
