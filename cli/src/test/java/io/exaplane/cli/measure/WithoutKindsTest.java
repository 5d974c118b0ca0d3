// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A kubeconfig is read without the classes of kinds, also one that has an object in it. */
class WithoutKindsTest {
  private static final String OBJECT = "{\"apiVersion\": \"v1\", \"kind\": \"Pod\"}";

  @TempDir private Path folder;

  @Test
  void aKubeconfigWithAnExtensionIsRead() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("kubeconfig"),
            """
            apiVersion: v1
            kind: Config
            current-context: b
            clusters:
            - name: c
              cluster:
                server: https://127.0.0.1:26443
                extensions: [{name: note, extension: %s}]
            users: [{name: u, user: {token: secret}}]
            contexts:
            - {name: a, context: {cluster: c, user: u, namespace: shop}}
            - {name: b, context: {cluster: c, user: u}}
            """
                .formatted(OBJECT));
    Config config = ApiServer.config(file, "a");
    assertThat(config.getMasterUrl()).isEqualTo("https://127.0.0.1:26443/");
    assertThat(config.getAutoOAuthToken()).isEqualTo("secret");
    assertThat(config.getNamespace()).isEqualTo("shop");
    KubernetesResource read = Serialization.unmarshal(OBJECT, KubernetesResource.class);
    assertThat(read).isInstanceOf(GenericKubernetesResource.class);
  }
}
