// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.fleet;

import io.exaplane.cli.measure.MeasurementException;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;

/** The operator in charge, as its Lease names its pod. Thread-safe. */
final class Leader {
  private static final String LEASE = "exaplane-operator";

  private final KubernetesClient client;
  private final String namespace;

  Leader(KubernetesClient client, String namespace) {
    this.client = client;
    this.namespace = namespace;
  }

  /** The pod that leads; "" for none. */
  String pod() {
    Lease lease = client.leases().inNamespace(namespace).withName(LEASE).get();
    return lease == null || lease.getSpec() == null || lease.getSpec().getHolderIdentity() == null
        ? ""
        : lease.getSpec().getHolderIdentity();
  }

  /**
   * Deletes the pod that leads without a period of grace.
   *
   * @return its name
   * @throws MeasurementException if none leads, or no other pod could follow
   */
  String kill() {
    String pod = pod();
    if (pod.isEmpty() || client.pods().inNamespace(namespace).withName(pod).get() == null) {
      throw new MeasurementException(
          "no pod in %s holds the Lease %s; set --operator-namespace to the operator's namespace"
              .formatted(namespace, LEASE));
    }
    client.pods().inNamespace(namespace).withName(pod).withGracePeriod(0).delete();
    return pod;
  }
}
