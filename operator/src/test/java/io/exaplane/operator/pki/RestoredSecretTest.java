// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.names.ControlPlaneNames;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A Secret of certificates that is as it should be, which the cache does not show. */
class RestoredSecretTest {
  private static final ControlPlane OWNER = Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1}");

  @ParameterizedTest
  @CsvSource({
    // has its owner | is the control plane's by its labels | is written
    "false, true,  true",
    "true,  true,  false",
    "false, false, false",
  })
  void oneWithoutOwnerIsTakenOver(boolean owned, boolean labelled, boolean written)
      throws Exception {
    Secret there =
        new SecretBuilder()
            .withNewMetadata()
            .withName("demo-x")
            .withNamespace("ns")
            .withLabels(labelled ? new ControlPlaneNames(OWNER).labels() : Map.of())
            .withOwnerReferences(owned ? Fixtures.ownedBy(OWNER) : List.of())
            .endMetadata()
            .withData(Map.of("ca.crt", "eA=="))
            .build();
    Queue<String> writes = new ConcurrentLinkedQueue<>();
    byte[] body = Serialization.asJson(there).getBytes(StandardCharsets.UTF_8);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] sent = exchange.getRequestBody().readAllBytes();
          if (!exchange.getRequestMethod().equals("GET")) {
            writes.add(new String(sent, StandardCharsets.UTF_8));
          }
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try (var client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(io.fabric8.kubernetes.client.Config.empty())
                    .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                    .build())
            .build()) {
      PkiReconciler pki = new PkiReconciler(OWNER, client, _ -> null, false, Clock.systemUTC());
      pki.ensure(
          new SecretPlan(
              "demo-x", "x", Map.of("l", "v"), List.of(), Map.of("ca.crt", "x"), _ -> Map.of()));
      PkiResult result = pki.result(Optional.empty());
      assertThat(result.renewed()).isEmpty();
      assertThat(result.problem().isEmpty()).isEqualTo(labelled);
      assertThat(writes).hasSize(written ? 1 : 0);
      if (written) {
        assertThat(Serialization.unmarshal(writes.element(), Secret.class))
            .matches(sent -> sent.hasOwnerReferenceFor(OWNER))
            .matches(sent -> sent.getData().equals(there.getData()))
            .matches(sent -> "v".equals(sent.getMetadata().getLabels().get("l")));
      }
    } finally {
      server.stop(0);
    }
  }
}
