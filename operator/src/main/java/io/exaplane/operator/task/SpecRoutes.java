// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.names.StoreNames;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.HttpURLConnection;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A merge patch of the ControlPlane that holds only for the version that was read: lists are
 * replaced as a whole. Thread-safe: keeps nothing.
 */
@ApplicationScoped
class SpecRoutes implements RouteWriter {
  private static final int UNPROCESSABLE = 422;

  /** Refusals that another request doesn't change: bad input, no right, an admission rule. */
  private static final Set<Integer> LASTING =
      Set.of(HttpURLConnection.HTTP_BAD_REQUEST, HttpURLConnection.HTTP_FORBIDDEN, UNPROCESSABLE);

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

  @Override
  public void keep(ControlPlane controlPlane, Collection<StoreShard> shards) {
    String routes = Serialization.asJson(StorageSpec.routes(controlPlane.getSpec().storage()));
    String annotations =
        Serialization.asJson(
            Map.of(
                "metadata", Map.of("annotations", Map.of(StoreNames.ROUTES_ANNOTATION, routes))));
    // First the stores: their passes copy the annotation to the claims.
    shards.forEach(shard -> annotate(shard, annotations));
    client
        .persistentVolumeClaims()
        .inNamespace(controlPlane.getMetadata().getNamespace())
        .withLabel(ControlPlaneNames.CONTROL_PLANE_LABEL, controlPlane.getMetadata().getName())
        .list()
        .getItems()
        .forEach(claim -> annotate(claim, annotations));
  }

  private void annotate(HasMetadata object, String annotations) {
    client.resource(object).patch(PatchContext.of(PatchType.JSON_MERGE), annotations);
  }

  @Override
  public Optional<String> objection(ControlPlane controlPlane, StorageSpec storage) {
    try {
      client
          .resource(controlPlane)
          .patch(
              new PatchContext.Builder()
                  .withPatchType(PatchType.JSON_MERGE)
                  .withDryRun(List.of("All"))
                  .build(),
              patch(controlPlane, storage));
      return Optional.empty();
    } catch (KubernetesClientException e) {
      if (!LASTING.contains(e.getCode())) {
        throw e;
      }
      return Optional.of(words(e));
    }
  }

  private static String words(KubernetesClientException e) {
    return e.getStatus() == null || e.getStatus().getMessage() == null
        ? e.getMessage()
        : e.getStatus().getMessage();
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
