// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.gate;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.status.Verdict;
import io.exaplane.operator.storeshard.condition.ConfigurationValidCondition;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.dependent.managed.ManagedWorkflowAndDependentResourceContext;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Line 10: who may make StoreShards pulls with no credential that was not meant for that. */
class StoreMayStartTest {
  private static final StoreShard SHARD =
      Serialization.unmarshal(
          """
          apiVersion: exaplane.io/v1alpha1
          kind: StoreShard
          metadata: {name: s, namespace: ns, uid: u}
          spec: {engine: Memory, criticality: BestEffort, tls: {secretRef: {name: t}}, images: {registry: evil.example, pullSecret: p}}
          """,
          StoreShard.class);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                                     | kubernetes.io/dockerconfigjson | false
          {exaplane.io/pull-secret: "false"}                     | kubernetes.io/dockerconfigjson | false
          {exaplane.io/pull-secret: "true"}                      | Opaque                         | false
          {exaplane.io/pull-secret: "true"}                      | kubernetes.io/dockerconfigjson | true
          """)
  void withAPullSecret(String labels, String type, boolean starts) throws Exception {
    byte[] body =
        Serialization.asJson(
                Serialization.unmarshal(
                    "apiVersion: v1\nkind: Secret\nmetadata: {name: p, namespace: ns, labels: %s}\ntype: %s\n"
                        .formatted(labels, type),
                    Secret.class))
            .getBytes(StandardCharsets.UTF_8);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/api/v1/namespaces/ns/secrets/p",
        exchange -> {
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try (KubernetesClient client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(Config.empty())
                    .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build()) {
      assertThat(new StoreMayStart().isMet(null, SHARD, context(client, null))).isEqualTo(starts);
      Context<StoreShard> another = context(client, set("q", "u"));
      assertThat(new StoreMayStart().isMet(null, SHARD, another)).isEqualTo(starts);
      Context<StoreShard> goesOn = context(client, set("p", "u"));
      assertThat(new StoreMayStart().isMet(null, SHARD, goesOn)).isTrue();
      Verdict told =
          ConfigurationValidCondition.of(
              SHARD, Optional.empty(), () -> PullSecretAllowed.notice(SHARD, goesOn));
      assertThat(told.status()).isEqualTo("True");
      assertThat(told.reason()).isEqualTo(starts ? Reason.AsExpected : Reason.PullSecretUnlabelled);
      if (!starts) {
        assertThat(told.message())
            .startsWith("spec.images.pullSecret p: the Secret ")
            .contains("'kubectl -n ns label secret p exaplane.io/pull-secret=true'");
      }
    } finally {
      server.stop(0);
    }
  }

  private static StatefulSet set(String pullSecret, String owner) {
    return Serialization.unmarshal(
        """
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: s, namespace: ns, ownerReferences: [{apiVersion: exaplane.io/v1alpha1, kind: StoreShard, name: s, uid: %s}]}
        spec: {template: {spec: {imagePullSecrets: [{name: %s}]}}}
        """
            .formatted(owner, pullSecret),
        StatefulSet.class);
  }

  @SuppressWarnings("unchecked")
  private static Context<StoreShard> context(KubernetesClient client, StatefulSet set) {
    Secret tls =
        new SecretBuilder()
            .withNewMetadata()
            .withName("t")
            .withNamespace("ns")
            .addToLabels("exaplane.io/store-shard", "s")
            .endMetadata()
            .withData(Map.of("tls.crt", "eA==", "tls.key", "eA==", "ca.crt", "eA=="))
            .build();
    ManagedWorkflowAndDependentResourceContext workflow =
        fake(
            ManagedWorkflowAndDependentResourceContext.class,
            Map.of("get", _ -> Optional.empty(), "put", args -> args[1]));
    return fake(
        Context.class,
        Map.of(
            "getSecondaryResource",
            args ->
                Optional.ofNullable(
                    args[0] == Secret.class ? tls : args[0] == StatefulSet.class ? set : null),
            "getClient",
            _ -> client,
            "managedWorkflowAndDependentResourceContext",
            _ -> workflow));
  }

  private static <T> T fake(Class<T> type, Map<String, Function<Object[], Object>> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> answers.get(method.getName()).apply(arguments)));
  }
}
