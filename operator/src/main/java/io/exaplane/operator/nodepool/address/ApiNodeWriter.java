// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import io.exaplane.operator.outcome.Refusal;
import io.exaplane.operator.outcome.Refusals;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.net.HttpURLConnection;

/** Writes by the cluster's API. Thread-safe. */
final class ApiNodeWriter implements NodeWriter {
  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();
  private static final PatchContext MERGE =
      new PatchContext.Builder()
          .withPatchType(PatchType.JSON_MERGE)
          .withFieldManager("exaplane-operator")
          .build();

  private final KubernetesClient client;

  /** The client is the caller's to close. */
  ApiNodeWriter(KubernetesClient client) {
    this.client = client;
  }

  @Override
  public Outcome write(NodeWrite write) {
    try {
      client
          .nodes()
          .withName(write.node().name())
          .patch(MERGE, SERIALIZATION.asJson(write.patch()));
      return new Outcome(Result.DONE, "");
    } catch (KubernetesClientException e) {
      return switch (e.getCode()) {
        case HttpURLConnection.HTTP_CONFLICT -> new Outcome(Result.CHANGED, "");
        case HttpURLConnection.HTTP_NOT_FOUND -> new Outcome(Result.GONE, "");
        default -> of(Refusals.of(e));
      };
    }
  }

  private static Outcome of(Refusal refusal) {
    return new Outcome(refusal.passes() ? Result.NOT_REACHED : Result.REFUSED, refusal.text());
  }
}
