// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The operator's objects inside a hosted cluster, whose users may change them. */
class HostedBootstrapTest {
  /** An API server refuses another role for a binding, whoever asks: the binding is made again. */
  @ParameterizedTest
  @CsvSource({
    // role and group of the binding that is there, and what is done
    "-,    -,      GET PATCH",
    "ours, nodes,  GET",
    "ours, others, GET PATCH",
    "view, nodes,  GET DELETE PATCH",
    "view, others, GET DELETE PATCH",
  })
  void aBindingOfAnotherRoleIsMadeAgain(String role, String group, String done) throws Exception {
    AtomicReference<ClusterRoleBinding> there = new AtomicReference<>();
    there.set(role.equals("-") ? null : binding(role, group));
    List<String> asked = Collections.synchronizedList(new ArrayList<>());
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String method = exchange.getRequestMethod();
          asked.add(method);
          String sent =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          ClusterRoleBinding before = there.get();
          int code = before == null && !method.equals("PATCH") ? 404 : 200;
          if (method.equals("DELETE")) {
            there.set(null);
          } else if (method.equals("PATCH")) {
            ClusterRoleBinding wanted = Serialization.unmarshal(sent, ClusterRoleBinding.class);
            if (before != null && !before.getRoleRef().equals(wanted.getRoleRef())) {
              code = 422;
            } else {
              there.set(wanted);
            }
          }
          byte[] body =
              (code == 200 && !method.equals("DELETE")
                      ? Serialization.asJson(there.get())
                      : "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":%d}".formatted(code))
                  .getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(code, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try (var client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(Config.empty())
                    .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build()) {
      HostedBootstrap.apply(client, binding("ours", "nodes"));
      assertThat(asked).isEqualTo(Arrays.asList(done.split(" ")));
      assertThat(there.get().getRoleRef().getName()).isEqualTo("ours");
      assertThat(there.get().getSubjects().getFirst().getName()).isEqualTo("nodes");
      asked.clear();
      HostedBootstrap.apply(client, binding("ours", "nodes"));
      assertThat(asked).as("a second look writes nothing").containsExactly("GET");
    } finally {
      server.stop(0);
    }
  }

  private static ClusterRoleBinding binding(String role, String group) {
    return Serialization.unmarshal(
        """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: exaplane-nodes}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %s}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: %s}]
        """
            .formatted(role, group),
        ClusterRoleBinding.class);
  }
}
