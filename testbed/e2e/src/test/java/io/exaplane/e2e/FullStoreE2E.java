// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ConditionType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A control plane that somebody fills goes on: its leaders renew their Leases, its apiservers start
 * on what the store holds, deletions make room that is usable at once.
 */
@Order(68)
@Tag("life")
class FullStoreE2E {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Of a control plane as large as the machine, the pods must fit all the same. */
  private static final String SMALL_REQUESTS =
      "  apiServer: {replicas: 2, resources: {requests: {cpu: 100m, memory: 512Mi}}}";

  @Test
  void whoFillsAControlPlaneDoesNotEndIt() {
    Demo.up();
    FullControlPlane demo =
        new FullControlPlane(Demo.NAME, Demo.NAMESPACE, LargeObject.CONFIG_MAPS);
    try {
      goesOn(demo, Demo.NAME, Demo.NAMESPACE);
    } finally {
      demo.clear();
      Demo.settled(PATIENCE);
    }
  }

  /** The same with each Kind that is large in real clusters, by the model's sizes. */
  @Tag("long")
  @Tag("full")
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  @ParameterizedTest
  @CsvSource({
    "100, CONFIG_MAPS", "100, SECRETS", "100, CUSTOM_RESOURCES", "100, PODS",
    "5000, CONFIG_MAPS", "5000, SECRETS", "5000, CUSTOM_RESOURCES", "5000, PODS"
  })
  void noKindEndsIt(int maxNodes, LargeObject object) {
    try (Scratch scratch = new Scratch("filled", Bed.VERSION, maxNodes, SMALL_REQUESTS)) {
      scratch.awaitSettled(PATIENCE);
      goesOn(
          new FullControlPlane(scratch.name, scratch.namespace, object),
          scratch.name,
          scratch.namespace);
    }
  }

  private static void goesOn(FullControlPlane controlPlane, String name, String namespace) {
    List<Integer> before = controlPlane.transitions();
    int made = controlPlane.fill();
    controlPlane.leadersRenew("while the store is full");
    String message =
        Bed.awaitCondition(name, namespace, ConditionType.Available, "False", PATIENCE).message();
    assertThat(message).contains(name + "-default");
    controlPlane.restartApiServers();
    controlPlane.leadersRenew("after the apiservers started anew on the full store");
    Duration room = controlPlane.room();
    System.out.printf(
        "%d objects of 900 KB filled the store; room %d ms after half of them were deleted;"
            + " transitions of the Leases of %s: %s before, %s after%n",
        made, room.toMillis(), FullControlPlane.LEADERS, before, controlPlane.transitions());
    assertThat(controlPlane.ends())
        .as("no process ended for want of memory")
        .doesNotContain("OOMKilled");
  }
}
