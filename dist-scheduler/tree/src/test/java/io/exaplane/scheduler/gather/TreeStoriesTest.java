// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.gather;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.scenario.Clusters;
import io.exaplane.scheduler.engine.scenario.Plain;
import io.exaplane.scheduler.tree.Up;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who comes, goes and says nothing. */
class TreeStoriesTest {
  private static final Profile PROFILE = Profile.defaults(Version.newest());
  private static final int NODES = 40;

  private final Cluster cluster = Clusters.of(objects(), Version.newest());
  private final TestTree tree = new TestTree(cluster, PROFILE, 1);

  private static List<Map<String, Object>> objects() {
    List<Map<String, Object>> objects = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      objects.add(Plain.node("n" + i, "8"));
    }
    objects.add(Plain.waiting("p", Map.of("cpu", "1"), new HashMap<>()));
    return objects;
  }

  private PlacedPod pod() {
    return cluster.pods().iterator().next();
  }

  private int nodesOfShards() {
    return tree.gatherer.picture().members().stream().mapToInt(Picture.Seen::nodes).sum();
  }

  @Test
  void nobodyIsAskedWhereNobodyIs() throws InterruptedException {
    tree.settle();
    assertThat(tree.gatherer.isComplete()).isFalse();
    assertThat(tree.gatherer.ask(pod().spec(), 4)).isNull();
  }

  @Test
  void shardsHaveAllNodesBetweenThem() {
    tree.addRelay();
    tree.addShard(0);
    tree.addShard(-1);
    assertThat(tree.gatherer.isComplete()).isTrue();
    assertThat(nodesOfShards()).isEqualTo(NODES);
    Picture picture = tree.gatherer.picture();
    assertThat(picture.members())
        .extracting(Picture.Seen::kind)
        .containsExactly(Up.Kind.RELAY, Up.Kind.SHARD, Up.Kind.SHARD);
    assertThat(picture.members())
        .extracting(Picture.Seen::via)
        .containsExactly(List.of(), List.of("relay"), List.of());
    assertThat(picture.members().stream().filter(m -> m.kind() == Up.Kind.SHARD))
        .allMatch(member -> member.nodes() > NODES / 5);
    cluster.removeNode("n0");
    tree.settle();
    assertThat(nodesOfShards()).isEqualTo(NODES - 1);
  }

  @Test
  void whoSaysNothingIsDroppedAndOthersGetItsNodes() throws InterruptedException {
    tree.addShard(-1);
    tree.addShard(-1);
    tree.pauseShard(1);
    assertThat(tree.gatherer.ask(pod().spec(), 4)).as("not in time").isNull();
    assertThat(tree.gatherer.isComplete()).as("nor asked again before it is heard of").isFalse();
    tree.settle();
    assertThat(tree.gatherer.isComplete()).isTrue();
    assertThat(tree.gatherer.picture().members()).hasSize(1);
    assertThat(nodesOfShards()).isEqualTo(NODES);
    assertThat(tree.gatherer.picture().missed()).isEqualTo(1);
    tree.resumeShard(1);
    tree.settle();
    assertThat(tree.gatherer.picture().members()).as("it has to come anew").hasSize(1);
    assertThat(tree.gatherer.ask(pod().spec(), 4)).isNotNull();
    tree.addShard(-1);
    assertThat(tree.gatherer.picture().members().getLast().weight())
        .as("one of this name was dropped: it begins with little")
        .isEqualTo(0.125);
    assertThat(tree.gatherer.isComplete()).isTrue();
  }

  @Test
  void anotherModelIsNotLetIn() {
    tree.addShard(-1);
    tree.gatherer.take(new Up.Hello(77, Up.Kind.SHARD, "old", "another", List.of()));
    tree.settle();
    assertThat(tree.gatherer.picture().members()).hasSize(1);
    assertThat(tree.gatherer.isComplete()).isTrue();
  }
}
