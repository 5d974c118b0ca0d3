// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.fleet;

import io.exaplane.cli.measure.MeasurementException;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A ResourceQuota in each namespace that admits no pod, no claim and no load balancer: a fleet
 * costs objects, and neither nodes nor volumes. Stateless.
 */
final class NoPods {
  private static final Map<String, Quantity> NONE =
      Map.of(
          "pods", new Quantity("0"),
          "persistentvolumeclaims", new Quantity("0"),
          "services.loadbalancers", new Quantity("0"));
  private static final long PAUSE_MS = 500;

  private NoPods() {}

  /**
   * Creates the quotas, and waits until they hold: a quota without a status refuses nothing.
   *
   * @throws MeasurementException if they do not hold after so long
   */
  static void enforce(KubernetesClient client, FleetNames names, Duration patience) {
    for (String namespace : names.namespaces()) {
      client
          .resource(
              new ResourceQuotaBuilder()
                  .withNewMetadata()
                  .withName(FleetNames.NAME)
                  .withNamespace(namespace)
                  .withLabels(names.labels())
                  .endMetadata()
                  .withNewSpec()
                  .withHard(NONE)
                  .endSpec()
                  .build())
          .create();
    }
    long deadline = System.nanoTime() + patience.toNanos();
    while (holding(client, names) < names.count()) {
      if (System.nanoTime() > deadline) {
        throw new MeasurementException(
            "only %d of %d ResourceQuotas hold after %d s; check that kube-controller-manager runs, or set --allow-pods"
                .formatted(holding(client, names), names.count(), patience.toSeconds()));
      }
      try {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      }
    }
  }

  private static long holding(KubernetesClient client, FleetNames names) {
    return client
        .resourceQuotas()
        .inAnyNamespace()
        .withLabel(FleetNames.LABEL, names.run())
        .list()
        .getItems()
        .stream()
        .filter(NoPods::holds)
        .count();
  }

  private static boolean holds(ResourceQuota quota) {
    return quota.getStatus() != null
        && quota.getStatus().getHard() != null
        && quota.getStatus().getUsed() != null
        && quota.getStatus().getHard().keySet().containsAll(NONE.keySet())
        && quota.getStatus().getUsed().keySet().containsAll(NONE.keySet());
  }
}
