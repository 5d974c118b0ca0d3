// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.Fixtures;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Line 10: a new control plane is held up, one that pulls with the Secret is told. */
class PullSecretCheckTest {
  private static final ControlPlane ASKS =
      Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1, images: {pullSecret: p}}");

  private volatile String labels = "{}";
  private HttpServer server;
  private KubernetesClient client;

  @BeforeEach
  void open() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/api/v1/namespaces/ns/secrets/p",
        exchange -> {
          byte[] body =
              "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"p\",\"labels\":%s},\"type\":\"kubernetes.io/dockerconfigjson\"}"
                  .formatted(labels)
                  .getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(Config.empty())
                    .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build();
  }

  @AfterEach
  void close() {
    client.close();
    server.stop(0);
  }

  @Test
  void aNewOneWaitsForTheLabel() {
    PullSecretCheck held = PullSecretCheck.of(ASKS, List.of(deployment("other")), client);
    assertThat(held.problem().orElseThrow().reason()).isEqualTo(Reason.PullSecretRefused);
    assertThat(held.problem().get().message())
        .startsWith("spec.images.pullSecret p: the Secret does not have the label")
        .contains("'kubectl -n ns label secret p exaplane.io/pull-secret=true'");
    assertThat(held.notice()).isEmpty();
    labels = "{\"exaplane.io/pull-secret\":\"true\"}";
    assertThat(PullSecretCheck.of(ASKS, List.of(), client).problem()).isEmpty();
  }

  @Test
  void oneThatPullsWithItGoesOnAndIsTold() {
    PullSecretCheck told = PullSecretCheck.of(ASKS, List.of(deployment("p")), client);
    assertThat(told.problem()).isEmpty();
    assertThat(told.notice().orElseThrow().reason()).isEqualTo(Reason.PullSecretUnlabelled);
    assertThat(told.notice().get().message())
        .contains("Running pods keep the Secret")
        .contains("label secret p");
    labels = "{\"exaplane.io/pull-secret\":\"true\"}";
    assertThat(PullSecretCheck.of(ASKS, List.of(deployment("p")), client).notice()).isEmpty();
  }

  @Test
  void whoNamesNoneIsNotAskedFor() {
    server.stop(0);
    ControlPlane without = Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1}");
    PullSecretCheck nothing = PullSecretCheck.of(without, List.of(), client);
    assertThat(nothing.problem()).isEmpty();
    assertThat(nothing.notice()).isEmpty();
  }

  private static Deployment deployment(String secret) {
    return Serialization.unmarshal(
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: demo-apiserver, namespace: ns}
        spec: {template: {spec: {imagePullSecrets: [{name: %s}]}}}
        """
            .formatted(secret),
        Deployment.class);
  }
}
