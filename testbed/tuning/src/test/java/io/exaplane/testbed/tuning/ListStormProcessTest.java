// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.tuning.ListStorm.Size;
import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.model.Input;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * All kube-apiservers are killed at once, and all informers come back at once: with what the model
 * says, no server passes its memory or ends again, and each informer has all objects in order.
 */
class ListStormProcessTest {
  private static final int LISTING_PERCENT = 30;

  /**
   * Fewer objects than the model was told of: the memory is for more, the way is the same. 20,000
   * would cost the default tier three times as much CPU as these 6,000.
   */
  private static final Size SMALL =
      new Size(1_000, 4_000, 1_000, 200, LISTING_PERCENT, Duration.ofMinutes(10));

  private static final Size LARGE =
      new Size(
          5_000,
          Integer.getInteger("storm.pods", 75_000),
          20_000,
          Integer.getInteger("storm.informers", 2_000),
          LISTING_PERCENT,
          Duration.ofHours(1));

  @TempDir private Path folder;

  @Test
  void informersComeBack() throws Exception {
    Tuning tuning = Clusters.tuning(SMALL.nodes(), Asked.STORM);
    try (ListStorm storm = new ListStorm(folder, SMALL, tuning)) {
      storm.fill(true);
      StormOutcome outcome = storm.run(storm.advised());
      System.out.println(StormOutcome.table(List.of(outcome)));
      outcome.looks().forEach(System.out::println);
      requireRecovered(SMALL, outcome);
    }
  }

  /** Beside each other: what every kube-apiserver does by itself, and what the model says. */
  @Tag("long")
  @Test
  void manyInformersComeBack() throws Exception {
    Map<Input, String> more = new EnumMap<>(Asked.STORM);
    more.put(Input.SERVICES, Integer.toString(LARGE.services()));
    Tuning tuning = Clusters.unlisted(LARGE.nodes(), more);
    try (ListStorm storm = new ListStorm(folder, LARGE, tuning)) {
      storm.fill(false);
      List<StormOutcome> outcomes = new ArrayList<>(upstream(storm));
      storm.applyFlowControl();
      StormOutcome policy = storm.run(storm.advised());
      outcomes.add(policy);
      System.out.println(StormOutcome.table(outcomes));
      outcomes.stream()
          .map(StormOutcome::collapse)
          .filter(collapse -> !collapse.isEmpty())
          .forEach(System.out::println);
      policy.looks().forEach(System.out::println);
      requireRecovered(LARGE, policy);
    }
  }

  /**
   * Only told: a collapse without the policy is a column of the table and no failure. One before a
   * server is ready again has no column.
   */
  private static List<StormOutcome> upstream(ListStorm storm) throws InterruptedException {
    try {
      return List.of(storm.run(storm.upstream()));
    } catch (InterruptedException ended) {
      throw ended;
    } catch (Exception | AssertionError collapse) {
      System.out.println("upstream collapsed before a server was ready again: " + collapse);
      collapse.printStackTrace(System.out);
      return List.of();
    }
  }

  private static void requireRecovered(Size size, StormOutcome outcome) {
    assertThat(outcome.collapse()).as("informers that did not recover").isEmpty();
    assertThat(outcome.outOfMemory()).as("servers killed for their memory").isZero();
    assertThat(outcome.ends()).as("servers that ended again").isZero();
    assertThat(outcome.fills()).as("a storm it was").isGreaterThan(size.informers() / 2);
    assertThat(outcome.stormy().refused()).as("renewals of Leases with 429").isZero();
    assertThat(outcome.after().path("filled").asInt()).isEqualTo(size.informers());
    assertThat(outcome.after().path("backwards").asInt()).as("events in order").isZero();
    for (String kind : Informers.KINDS) {
      var seen = outcome.after().path("kinds").path(kind);
      assertThat(seen.path("same").asBoolean()).as("the same %s everywhere", kind).isTrue();
      assertThat(seen.path("fewest").asInt())
          .as("all %s", kind)
          // The Service of the API itself is one more.
          .isEqualTo(size.objects(kind) + (kind.equals("services") ? 1 : 0));
    }
  }
}
