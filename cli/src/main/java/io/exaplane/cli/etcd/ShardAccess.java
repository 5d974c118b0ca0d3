// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.etcd;

import io.exaplane.cli.measure.ApiFailure;
import io.exaplane.cli.measure.ApiServer;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.LocalPortForward;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;

/**
 * The way to a StoreShard's pod from outside its management cluster: a port-forward, and the
 * certificates of the kube-apiservers that use it. The hosted API need not run for that.
 */
public final class ShardAccess implements AutoCloseable {
  private static final String API = "exaplane.io/v1alpha1";
  private static final String OWNER = "ControlPlane";
  private static final int PORT = 2379;

  private final KubernetesClient client;
  private final Credentials credentials;
  private final LocalPortForward forward;

  private ShardAccess(KubernetesClient client, Credentials credentials, LocalPortForward forward) {
    this.client = client;
    this.credentials = credentials;
    this.forward = forward;
  }

  /**
   * Opens it.
   *
   * @param kubeconfig of the management cluster; none for what kubectl would take
   * @throws StoreFailure if there is no such shard, or its Secret or pod can't be reached
   */
  public static ShardAccess open(Path kubeconfig, String namespace, String shard) {
    KubernetesClient client =
        new KubernetesClientBuilder().withConfig(ApiServer.config(kubeconfig)).build();
    try {
      Credentials credentials = credentials(client, namespace, shard);
      return new ShardAccess(client, credentials, forward(client, namespace, shard + "-0"));
    } catch (KubernetesClientException e) {
      client.close();
      throw new StoreFailure(
          ApiFailure.words(
              e,
              "the rights to get storeshards and secrets and to create pods/portforward in "
                  + namespace));
    } catch (StoreFailure e) {
      client.close();
      throw e;
    }
  }

  /** Those of the control plane that the shard belongs to. */
  static Credentials credentials(KubernetesClient client, String namespace, String shard) {
    GenericKubernetesResource object =
        client
            .genericKubernetesResources(API, "StoreShard")
            .inNamespace(namespace)
            .withName(shard)
            .get();
    if (object == null) {
      throw new StoreFailure(
          "there is no StoreShard %s in the namespace %s; 'kubectl get storeshards -A' lists them"
              .formatted(shard, namespace));
    }
    String owner =
        object.getMetadata().getOwnerReferences().stream()
            .filter(each -> each.getKind().equals(OWNER))
            .map(OwnerReference::getName)
            .findFirst()
            .orElseThrow(
                () ->
                    new StoreFailure(
                        "the StoreShard %s belongs to no ControlPlane; set --endpoints, --cacert, --cert and --key"
                            .formatted(shard)));
    String name = owner + "-apiserver-pki";
    Secret secret = client.secrets().inNamespace(namespace).withName(name).get();
    if (secret == null || secret.getData() == null) {
      throw new StoreFailure(
          "there is no Secret %s in the namespace %s; set --endpoints, --cacert, --cert and --key"
              .formatted(name, namespace));
    }
    return Credentials.of(
        text(secret, "store-ca.crt"),
        text(secret, "store-client.crt"),
        text(secret, "store-client.key"));
  }

  private static String text(Secret secret, String file) {
    String encoded = secret.getData().get(file);
    if (encoded == null) {
      throw new StoreFailure(
          "the Secret %s has no %s; set --endpoints, --cacert, --cert and --key"
              .formatted(secret.getMetadata().getName(), file));
    }
    return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
  }

  private static LocalPortForward forward(KubernetesClient client, String namespace, String pod) {
    if (client.pods().inNamespace(namespace).withName(pod).get() == null) {
      throw new StoreFailure(
          "the store has no pod %s in the namespace %s; 'kubectl describe storeshard' says why"
              .formatted(pod, namespace));
    }
    return client.pods().inNamespace(namespace).withName(pod).portForward(PORT);
  }

  public URI endpoint() {
    return URI.create("https://localhost:" + forward.getLocalPort());
  }

  public Credentials credentials() {
    return credentials;
  }

  @Override
  public void close() {
    try {
      forward.close();
    } catch (IOException e) {
      // It ends with the process anyway.
    }
    client.close();
  }
}
