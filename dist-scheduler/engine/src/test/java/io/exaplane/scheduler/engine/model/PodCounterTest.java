// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import static io.exaplane.scheduler.engine.scenario.Dice.map;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.scenario.Clusters;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodCounterTest {
  private record Named(String namespace) implements PodCounter.Matcher {
    @Override
    public int times(PodSpec pod) {
      return pod.namespace().equals(namespace) ? 1 : 0;
    }
  }

  private final Cluster cluster =
      Clusters.of(
          List.of(
              map("kind", "Node", "metadata", map("name", "n")),
              map(
                  "kind", "Pod",
                  "metadata", map("name", "p", "namespace", "a"),
                  "spec", map("nodeName", "n", "containers", List.of()))),
          Version.newest());

  @Test
  void followsPodsAsLongAsSomebodyHoldsIt() {
    PodCounter counter = cluster.counter(new Named("a"));
    PodCounter same = cluster.counter(new Named("a"));
    assertThat(same).isSameAs(counter);
    assertThat(counter.on(0)).isEqualTo(1);
    counter.release();
    cluster.removePod("a/p");
    assertThat(same.on(0)).isZero();
  }

  @Test
  void isForgottenWhenNobodyDoes() {
    PodCounter counter = cluster.counter(new Named("a"));
    counter.release();
    cluster.removePod("a/p");
    assertThat(counter.on(0)).as("not kept up").isEqualTo(1);
    assertThat(cluster.counter(new Named("a")).on(0)).isZero();
  }
}
