// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.ObjectReader;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.scenario.Plain;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Plans take a part of the heap, whatever becomes of the nodes. */
class PlansTest {
  private static final int NODES = 100;

  /** For a plan of 64 bytes a node, of a quarter: 64 plans of so many nodes. */
  private static final long HEAP = 4L * 64 * 64 * NODES;

  private final Cluster cluster = new Cluster();
  private final ObjectReader reader = new ObjectReader(cluster, Version.newest());
  private final Plans plans = new Plans(cluster, Profile.defaults(Version.newest()), HEAP);

  private void nodes(int count) {
    for (int i = 0; i < count; i++) {
      reader.read(Fields.of(Plain.node("n" + i, "8"), ""));
    }
  }

  /** Each pod is a class by what it asks for. */
  private void ask(int from, int to) {
    for (int i = from; i < to; i++) {
      Map<String, Object> pod = Plain.waiting("p" + i, Map.of("cpu", i + "m"), new HashMap<>());
      reader.read(Fields.of(pod, ""));
      plans.of(cluster.pod("default/p" + i).podClass());
    }
  }

  @Test
  void thereAreAsManyAsThereIsRoomFor() {
    nodes(NODES);
    ask(1, 100);
    assertThat(plans.count()).isEqualTo(64);
    nodes(2 * NODES);
    ask(100, 101);
    assertThat(plans.count()).as("each is twice as large").isEqualTo(32);
  }

  /** A class for each job: those of jobs that ended are not kept. */
  @Test
  void classesThatGoTakeTheirKeysWithThem() {
    nodes(1);
    for (int i = 0; i < 20_000; i++) {
      Map<String, Object> pod = Plain.waiting("p", Map.of("cpu", i + "m"), new HashMap<>());
      reader.read(Fields.of(pod, ""));
      plans.keyOf(cluster.pod("default/p").podClass());
      cluster.removePod("default/p");
    }
    assertThat(plans.keyCount()).isLessThan(10_000);
  }

  /** Numbers of nodes that went are given to others; until then plans have them all the same. */
  @Test
  void nodesThatGoMakeNoRoom() {
    nodes(2 * NODES);
    for (int i = 10; i < 2 * NODES; i++) {
      cluster.removeNode("n" + i);
    }
    ask(1, 100);
    assertThat(plans.count()).isEqualTo(32);
  }
}
