// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.root;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.decision.Decider;
import io.exaplane.scheduler.engine.decision.Decision;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.ObjectReader;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.device.SelectorCompiler;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.queue.Backoff;
import io.exaplane.scheduler.engine.queue.SchedulingQueue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EvictionsTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Cluster cluster = new Cluster(SelectorCompiler.NONE);
  private final ObjectReader reader = new ObjectReader(cluster, Version.newest());
  private final Evictions evictions =
      new Evictions(cluster, new SchedulingQueue(Map.of(), Backoff.DEFAULT, SECOND));
  private Pod high;

  @BeforeEach
  void twoHaveToGoForOne() {
    Map<String, Object> allocatable = Map.of("cpu", "2", "memory", "1Gi", "pods", "10");
    put("Node", "n1", Map.of("status", Map.of("allocatable", allocatable)));
    put("Pod", "low-1", pod("1", 0, "n1"));
    put("Pod", "low-2", pod("1", 0, "n1"));
    put("Pod", "high", pod("2", 9, ""));
    Decider decider = new Decider(cluster, Profile.defaults(Version.newest()), 0, false);
    Decision decision = decider.decide(cluster.pod("ns/high"));
    assertThat(decision.victims()).hasSize(2);
    high = decision.pod().pod();
    evictions.begin(high, decision);
  }

  @Test
  void areUnderWayUntilAllAreKnownToGo() {
    evictions.look(SECOND);
    reader.remove("Pod", "ns", "low-1");
    reader.remove("Pod", "ns", "low-2");
    evictions.look(100 * SECOND);
    assertThat(isUnderWay()).as("nobody has asked them yet").isTrue();
    evictions.asked(high, false);
    evictions.look(101 * SECOND);
    assertThat(isUnderWay()).isFalse();
  }

  @Test
  void areOverWhenVictimsAreBeingDeleted() {
    evictions.asked(high, false);
    reader.remove("Pod", "ns", "low-1");
    evictions.look(SECOND);
    assertThat(isUnderWay()).isTrue();
    Map<String, Object> going = pod("1", 0, "n1");
    put("Pod", "low-2", going, Map.of("deletionTimestamp", "2026-01-01T00:00:00Z"));
    evictions.look(2 * SECOND);
    assertThat(isUnderWay()).isFalse();
  }

  @Test
  void areOverAtOnceIfSomebodyCannotGoAndAfterAWhileInAnyCase() {
    evictions.asked(high, true);
    evictions.look(SECOND);
    assertThat(isUnderWay()).isFalse();
    twoHaveToGoForOne();
    evictions.asked(high, false);
    evictions.look(2 * SECOND);
    assertThat(isUnderWay()).isTrue();
    evictions.look(33 * SECOND);
    assertThat(isUnderWay()).isFalse();
  }

  private boolean isUnderWay() {
    return evictions.isUnderWay(high);
  }

  private static Map<String, Object> pod(String cpu, int priority, String node) {
    Map<String, Object> container =
        Map.of("name", "c", "resources", Map.of("requests", Map.of("cpu", cpu)));
    return Map.of(
        "spec", Map.of("containers", List.of(container), "priority", priority, "nodeName", node));
  }

  private void put(String kind, String name, Map<String, Object> rest) {
    put(kind, name, rest, Map.of());
  }

  private void put(
      String kind, String name, Map<String, Object> rest, Map<String, Object> moreMeta) {
    Map<String, Object> object = new HashMap<>(rest);
    object.put("apiVersion", "v1");
    object.put("kind", kind);
    Map<String, Object> meta = new HashMap<>(moreMeta);
    meta.putAll(Map.of("name", name, "namespace", "ns", "uid", "uid " + name));
    object.put("metadata", meta);
    reader.read(Fields.of(object, ""));
  }
}
