// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.outcome.Problem;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A Secret without files in the place of one that the operator makes once. */
class EmptySecretTest {
  @ParameterizedTest
  @CsvSource({
    "demo-ca,              false, false",
    "demo-ca,              false, true",
    "demo-ca,              true,  false",
    "demo-front-proxy-ca,  false, false",
    "demo-store-ca,        false, false",
    "demo-store-ca,        true,  false",
    "demo-service-account, false, false",
    "demo-service-account, true,  false",
  })
  void isNamedWithTheNextAction(String empty, boolean known, boolean cached) throws Exception {
    ControlPlane owner = Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1}");
    String name = empty.substring("demo-".length());
    if (known) {
      owner.setStatus(
          Serialization.unmarshal(
              "{\"certificates\": [{\"name\": \"%s\", \"secret\": \"%s\", \"sha256\": \"abc\"}]}"
                  .formatted(name, empty),
              ControlPlaneStatus.class));
    }
    Secret there =
        new SecretBuilder()
            .withNewMetadata()
            .withName(empty)
            .withNamespace("ns")
            .withLabels(new ControlPlaneNames(owner).labels())
            .endMetadata()
            .build();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] sent = exchange.getRequestBody().readAllBytes();
          boolean reads = exchange.getRequestMethod().equals("GET");
          boolean found = exchange.getRequestURI().getPath().endsWith("/" + empty);
          byte[] body =
              reads && found
                  ? Serialization.asJson(there).getBytes(StandardCharsets.UTF_8)
                  : reads
                      ? "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":404}"
                          .getBytes(StandardCharsets.UTF_8)
                      : sent;
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(reads && !found ? 404 : 200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try (var client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(Config.empty())
                    .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                    .build())
            .build()) {
      PkiReconciler pki =
          new PkiReconciler(
              owner,
              client,
              wanted -> cached && wanted.equals(empty) ? there : null,
              false,
              Clock.systemUTC());
      assertThat(pki.authorities()).isEmpty();
      Problem problem = pki.result(Optional.empty()).problem().orElseThrow();
      assertThat(problem.reason()).isEqualTo(Reason.CASecretInvalid);
      assertThat(problem.message())
          .startsWith("Secret " + empty)
          .contains("empty")
          .contains(
              known
                  ? "Restore the Secret from your backup"
                  : "Delete the Secret: 'kubectl -n ns delete secret " + empty + "'");
    } finally {
      server.stop(0);
    }
  }
}
