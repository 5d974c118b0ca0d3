// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;

/**
 * A merge patch of the ControlPlane that holds only for the version that was read: lists are
 * replaced as a whole. Thread-safe: keeps nothing.
 */
@ApplicationScoped
class SpecRoutes implements RouteWriter {
  private final KubernetesClient client;

  SpecRoutes(KubernetesClient client) {
    this.client = client;
  }

  @Override
  public void write(ControlPlane controlPlane, StorageSpec storage) {
    client
        .resource(controlPlane)
        .patch(PatchContext.of(PatchType.JSON_MERGE), patch(controlPlane, storage));
  }

  static String patch(ControlPlane controlPlane, StorageSpec storage) {
    return Serialization.asJson(
        Map.of(
            "metadata",
            Map.of(
                "uid", controlPlane.getMetadata().getUid(),
                "resourceVersion", controlPlane.getMetadata().getResourceVersion()),
            "spec",
            Map.of("storage", storage)));
  }
}
