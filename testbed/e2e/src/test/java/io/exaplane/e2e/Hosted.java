// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * A hosted cluster, reached by what its kubeconfig Secret says at that moment. The tests share one
 * client and one kubeconfig file until the Secret says something else.
 */
record Hosted(String kubeconfig, Path file, KubernetesClient client) {
  /** Shorter than elsewhere: tests take servers away, and a connection to one says nothing. */
  private static final int REQUEST_TIMEOUT_MS = 30_000;

  private static final Map<String, Hosted> KNOWN = new ConcurrentHashMap<>();

  /** The client that tests share; nobody closes it. */
  static KubernetesClient client(String controlPlane, String namespace) {
    return find(controlPlane, namespace).client();
  }

  /** A client of the caller's own, who closes it. */
  static KubernetesClient newClient(String controlPlane, String namespace) {
    return connect(kubeconfig(controlPlane, namespace));
  }

  /** Runs kubectl in the hosted cluster. */
  static Bed.Run kubectl(String controlPlane, String namespace, String... arguments) {
    return Bed.kubectl(find(controlPlane, namespace).file(), arguments);
  }

  /** Makes a ConfigMap in the hosted cluster's namespace default, to be found again or not. */
  static void createConfigMap(String controlPlane, String namespace, String name) {
    client(controlPlane, namespace)
        .configMaps()
        .inNamespace("default")
        .resource(new ConfigMapBuilder().withNewMetadata().withName(name).endMetadata().build())
        .create();
  }

  /** Whether it holds; an API that does not answer says no. */
  static boolean holds(BooleanSupplier look) {
    try {
      return look.getAsBoolean();
    } catch (KubernetesClientException | Bed.CommandFailed noAnswer) {
      return false;
    }
  }

  private static Hosted find(String controlPlane, String namespace) {
    String kubeconfig = kubeconfig(controlPlane, namespace);
    return KNOWN.compute(
        namespace + "-" + controlPlane,
        (name, known) -> {
          if (known != null && known.kubeconfig().equals(kubeconfig)) {
            return known;
          }
          if (known != null) {
            known.client().close();
          }
          return new Hosted(kubeconfig, write(name, kubeconfig), connect(kubeconfig));
        });
  }

  /** The text that the kubeconfig Secret holds now. */
  static String kubeconfig(String controlPlane, String namespace) {
    String name = controlPlane + "-admin-kubeconfig";
    Secret secret = Bed.CLIENT.secrets().inNamespace(namespace).withName(name).get();
    if (secret == null) {
      throw new Bed.CommandFailed("no Secret " + name + " in namespace " + namespace);
    }
    return new String(
        Base64.getDecoder().decode(secret.getData().get("kubeconfig")), StandardCharsets.UTF_8);
  }

  /** A client of what a kubeconfig says; the caller's to close. */
  static KubernetesClient connect(String kubeconfig) {
    Config config = Config.fromKubeconfig(kubeconfig);
    config.setClientKeyAlgo("EC");
    // A connection to an apiserver that is gone must not be the only one there is.
    config.setHttp2Disable(true);
    config.setRequestRetryBackoffLimit(Bed.RETRIES);
    config.setRequestTimeout(REQUEST_TIMEOUT_MS);
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  private static Path write(String name, String kubeconfig) {
    try {
      Path file = Files.createTempFile(name, ".kubeconfig");
      file.toFile().deleteOnExit();
      return Files.writeString(file, kubeconfig);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
