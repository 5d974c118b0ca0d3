// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * As {@link FullStoreE2E}, with stores of the usual sizes: their apiservers have room for
 * everything that the stores hold. Here no leader may lose its Lease: no other step uses the
 * cluster beside this one.
 */
@Order(105)
@Tag("long")
@Tag("full")
class FullDemoE2E {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** As many nodes as two kube-apiservers that the machine has room for can serve. */
  private static final int FEW_NODES = 100;

  /** The pods of a control plane that is as large as the machine have to fit all the same. */
  private static final String SMALL_REQUESTS =
      """
        apiServer: {replicas: %1$d, resources: {requests: {cpu: 100m, memory: 512Mi}, limits: {memory: %2$s}}}
        controllerManager: {replicas: %1$d, resources: {requests: {cpu: 50m, memory: 128Mi}}}
        scheduler: {replicas: %1$d, resources: {requests: {cpu: 50m, memory: 128Mi}}}\
      """;

  @Test
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void whoFillsTheSampleDoesNotEndIt() {
    Demo.up();
    FullControlPlane demo =
        new FullControlPlane(Demo.NAME, Demo.NAMESPACE, LargeObject.CONFIG_MAPS);
    try {
      assertThat(demo.goesOn()).as("Leases that leaders lost").isZero();
    } finally {
      demo.clear();
      Demo.settled(PATIENCE);
    }
  }

  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  @ParameterizedTest
  @CsvSource({
    "100, CONFIG_MAPS", "100, SECRETS", "100, CUSTOM_RESOURCES", "100, PODS",
    "5000, CONFIG_MAPS", "5000, SECRETS", "5000, CUSTOM_RESOURCES", "5000, PODS"
  })
  void noKindEndsAControlPlane(int maxNodes, LargeObject object) {
    // The namespace of the case before is still ending.
    String name = "filled-" + maxNodes + "-" + object.ordinal();
    String spec =
        maxNodes > FEW_NODES
            ? SMALL_REQUESTS.formatted(1, "12Gi")
            : SMALL_REQUESTS.formatted(2, "4Gi");
    try (Scratch scratch = new Scratch(name, Bed.VERSION, maxNodes, spec)) {
      scratch.awaitSettled(PATIENCE);
      FullControlPlane filled = new FullControlPlane(scratch.name, scratch.namespace, object);
      assertThat(filled.goesOn()).as("Leases that leaders lost").isZero();
    }
  }
}
