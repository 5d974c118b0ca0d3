// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreShard;
import java.util.Collection;
import java.util.Optional;

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

  /**
   * Writes the routes of the spec on stores and their claims, as passes of the control plane do
   * while it is not deleted: whoever takes the data over later reads them there.
   *
   * @throws io.fabric8.kubernetes.client.KubernetesClientException if the API server refuses
   */
  void keep(ControlPlane controlPlane, Collection<StoreShard> shards);

  /**
   * Asks the API server whether it would take a write, and changes nothing.
   *
   * @return why it would refuse as long as nobody changes something, in its own words
   * @throws io.fabric8.kubernetes.client.KubernetesClientException if it can't tell now
   */
  Optional<String> objection(ControlPlane controlPlane, StorageSpec storage);
}
