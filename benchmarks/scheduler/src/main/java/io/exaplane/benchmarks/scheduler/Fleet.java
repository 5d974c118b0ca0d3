// SPDX-License-Identifier: Apache-2.0
package io.exaplane.benchmarks.scheduler;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.ObjectReader;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.placement.Cycle;
import io.exaplane.scheduler.engine.plugin.Profile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A large cluster for benchmarks: nodes of eight zones, and pods that wait. */
final class Fleet {
  private static final int ZONES = 8;

  final Cluster cluster = new Cluster();
  final Profile profile = Profile.defaults(Version.newest());
  final Cycle cycle = new Cycle(cluster, profile, 1);
  final List<PlacedPod> waiting = new ArrayList<>();
  private final ObjectReader reader = new ObjectReader(cluster, Version.newest());

  Fleet(int nodes) {
    for (int i = 0; i < nodes; i++) {
      Map<String, String> labels = Map.of("topology.kubernetes.io/zone", "zone-" + i % ZONES);
      read(Objects.node("node-" + i, labels));
    }
  }

  private void read(Map<String, Object> object) {
    reader.read(Fields.of(object, ""));
  }

  /** Lets pods come that wait. */
  void pods(String prefix, int count, String cpu, String memory, int priority) {
    Map<String, Object> spec = Objects.spec(cpu, memory, Map.of("priority", priority));
    for (int i = 0; i < count; i++) {
      read(Objects.pod("default", prefix + i, Map.of(), spec));
      waiting.add(cluster.pod("default/" + prefix + i));
    }
  }

  /** Fills nodes with pods that run there, begun one second after the other. */
  void running(int nodes, int podsPerNode, String cpu, String memory) {
    Map<String, Object> spec = new LinkedHashMap<>(Objects.spec(cpu, memory, Map.of()));
    for (int i = 0; i < nodes * podsPerNode; i++) {
      int place = (int) ((i * 2_654_435_761L) % nodes);
      spec.put("nodeName", "node-" + place);
      Map<String, Object> pod = new LinkedHashMap<>();
      pod.putAll(Objects.pod("default", "running-" + i, Map.of(), spec));
      String started =
          "2026-01-%02dT%02d:%02d:%02dZ"
              .formatted(1 + i / 86_400, i / 3600 % 24, i / 60 % 60, i % 60);
      pod.put("status", Map.of("phase", "Running", "startTime", started));
      read(pod);
    }
  }
}
