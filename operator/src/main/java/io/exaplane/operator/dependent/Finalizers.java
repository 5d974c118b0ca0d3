// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.dependent;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;

/** The operator's finalizers on its objects. Stateless. */
public final class Finalizers {
  private Finalizers() {}

  /**
   * Takes one away, of the object as it was seen; the others stay. An object that is gone has none.
   *
   * @throws KubernetesClientException if somebody refuses, or the object has changed since
   */
  public static void remove(HasMetadata object, String finalizer, KubernetesClient client) {
    try {
      client
          .resource(object)
          .patch(PatchContext.of(PatchType.JSON_MERGE), without(object, finalizer));
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw e;
      }
    }
  }

  private static String without(HasMetadata object, String finalizer) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode metadata = patch.putObject("metadata");
    metadata.put("uid", object.getMetadata().getUid());
    metadata.put("resourceVersion", object.getMetadata().getResourceVersion());
    ArrayNode left = metadata.putArray("finalizers");
    object.getMetadata().getFinalizers().stream()
        .filter(each -> !each.equals(finalizer))
        .forEach(left::add);
    return patch.toString();
  }
}
