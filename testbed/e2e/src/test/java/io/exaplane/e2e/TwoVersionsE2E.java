// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two minors side by side, and an upgrade from one to the next. */
@Tag("long")
@Order(120)
class TwoVersionsE2E {
  private static final Duration PATIENCE = Duration.ofMinutes(6);

  /** Three control planes, one of which has a pod more for a while: less than the model wants. */
  private static final String SMALL =
      "  apiServer: {resources: {requests: {cpu: 100m, memory: 512Mi}}}";

  @Test
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void twoMinorsRunSideBySideAndTheOlderIsUpgraded() {
    try (Scratch older = new Scratch("older", Bed.PREVIOUS_VERSION, SMALL);
        Scratch newer = new Scratch("newer", Bed.VERSION, SMALL)) {
      older.awaitSettled(PATIENCE);
      newer.awaitSettled(PATIENCE);
      assertThat(older.hosted("version")).contains("Server Version: v" + Bed.PREVIOUS_VERSION);
      assertThat(newer.hosted("version")).contains("Server Version: v" + Bed.VERSION);
      older.hosted("create", "configmap", "kept", "--from-literal=a=b");
      try (Probe probe = new Probe(older.name, older.namespace)) {
        Demo.patch(older.name, older.namespace, "{\"spec\":{\"version\":\"" + Bed.VERSION + "\"}}");
        Bed.await(
            "everything runs " + Bed.VERSION,
            PATIENCE,
            () -> {
              apiserversAreNeverBehind(older);
              ControlPlane now = Bed.controlPlane(older.name, older.namespace);
              return Bed.VERSION.equals(now.getStatus().version().current());
            },
            () -> Bed.describe(older.name, older.namespace));
        older.awaitSettled(PATIENCE);
        System.out.printf("%d requests during the upgrade%n", probe.requests());
        assertThat(probe.failures()).isEmpty();
      }
      assertThat(older.hosted("version")).contains("Server Version: v" + Bed.VERSION);
      assertThat(older.hosted("get", "configmap", "kept")).contains("kept");
      assertThat(newer.hosted("version")).contains("Server Version: v" + Bed.VERSION);
    }
  }

  /** The others get the new version only when no apiserver of the old one is left. */
  private static void apiserversAreNeverBehind(Scratch scratch) {
    for (String follower : new String[] {"controller-manager", "scheduler"}) {
      if (image(scratch, follower).endsWith("v" + Bed.VERSION)) {
        assertThat(image(scratch, "apiserver")).endsWith("v" + Bed.VERSION);
        Deployment apiServer = deployment(scratch, "apiserver");
        assertThat(apiServer.getStatus().getUpdatedReplicas())
            .isEqualTo(apiServer.getSpec().getReplicas());
      }
    }
  }

  private static String image(Scratch scratch, String component) {
    return deployment(scratch, component)
        .getSpec()
        .getTemplate()
        .getSpec()
        .getContainers()
        .getFirst()
        .getImage();
  }

  private static Deployment deployment(Scratch scratch, String component) {
    return Bed.CLIENT
        .apps()
        .deployments()
        .inNamespace(scratch.namespace)
        .withName(scratch.name + "-" + component)
        .get();
  }
}
