// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.StorageSpec;

/** Writes the routes of a resource that has moved into the spec of its control plane. */
interface RouteWriter {
  /**
   * Writes.
   *
   * @param storage the fields of {@code spec.storage} to set
   * @throws io.fabric8.kubernetes.client.KubernetesClientException if the object changed since it
   *     was read, or the API server refuses
   */
  void write(ControlPlane controlPlane, StorageSpec storage);
}
