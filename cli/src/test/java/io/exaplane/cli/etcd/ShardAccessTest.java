// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.etcd;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a management cluster may lack is said; its objects are what a server of the test has. */
class ShardAccessTest {
  private static final String SHARD =
      """
      {"apiVersion":"exaplane.io/v1alpha1","kind":"StoreShard","metadata":{"name":"demo-default","namespace":"ns",
       "ownerReferences":[%s]}}
      """;
  private static final String OWNER =
      "{\"apiVersion\":\"exaplane.io/v1alpha1\",\"kind\":\"ControlPlane\",\"name\":\"demo\",\"uid\":\"u\"}";
  private static final String SHARD_PATH =
      "/apis/exaplane.io/v1alpha1/namespaces/ns/storeshards/demo-default";
  private static final String SECRET_PATH = "/api/v1/namespaces/ns/secrets/demo-apiserver-pki";
  private static final String RESOURCES =
      """
      {"kind":"APIResourceList","apiVersion":"v1","groupVersion":"exaplane.io/v1alpha1",
       "resources":[{"name":"storeshards","singularName":"storeshard","namespaced":true,"kind":"StoreShard","verbs":["get"]}]}
      """;

  private final Map<String, String> objects = new ConcurrentHashMap<>();
  private HttpServer server;
  private KubernetesClient client;

  @BeforeEach
  void start() throws IOException {
    objects.put("/apis/exaplane.io/v1alpha1", RESOURCES);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String object = objects.get(exchange.getRequestURI().getPath());
          byte[] bytes = (object == null ? "{}" : object).getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(object == null ? 404 : 200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder()
                    .withAutoConfigure(false)
                    .withMasterUrl(url)
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build();
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop(0);
  }

  private void requireSaid(String what) {
    assertThatThrownBy(() -> ShardAccess.credentials(client, "ns", "demo-default"))
        .isInstanceOf(StoreFailure.class)
        .hasMessageContaining(what);
  }

  @Test
  void whatIsMissingIsNamed() {
    requireSaid("there is no StoreShard demo-default in the namespace ns");
    objects.put(SHARD_PATH, SHARD.formatted(""));
    requireSaid("belongs to no ControlPlane");
    objects.put(SHARD_PATH, SHARD.formatted(OWNER));
    requireSaid("there is no Secret demo-apiserver-pki");
    objects.put(
        SECRET_PATH,
        "{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"demo-apiserver-pki\"},\"data\":{\"a\":\"YQ==\"}}");
    requireSaid("has no store-ca.crt");
    String junk = "\"YQ==\"";
    objects.put(
        SECRET_PATH,
        "{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"demo-apiserver-pki\"},\"data\":{\"store-ca.crt\":%1$s,\"store-client.crt\":%1$s,\"store-client.key\":%1$s}}"
            .formatted(junk));
    requireSaid("the certificates can't be read");
  }
}
