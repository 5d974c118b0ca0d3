// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.retention;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.pki.Authorities;
import io.exaplane.operator.pki.PkiReconciler;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimList;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Line 32: a backup is put back in any order, and the operator looks at any time. */
class RestoreOrderTest {
  private static final int ORDERS = 8;
  private static final String STORAGE =
      "storage: {stores: [{name: default, storage: {type: PersistentVolume}}]}";

  private final Map<String, Secret> secrets = new ConcurrentHashMap<>();
  private final List<PersistentVolumeClaim> claims =
      Collections.synchronizedList(new ArrayList<>());
  private final List<String> annotated = Collections.synchronizedList(new ArrayList<>());
  private int created;
  private HttpServer server;
  private KubernetesClient client;

  @BeforeEach
  void open() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::serve);
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

  private static ControlPlane controlPlane(String uid, String madeFor) {
    ControlPlane controlPlane =
        Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1, %s}".formatted(STORAGE));
    controlPlane.getMetadata().setUid(uid);
    if (madeFor != null) {
      controlPlane.getMetadata().setAnnotations(Map.of(KeysRecord.ANNOTATION, madeFor));
    }
    return controlPlane;
  }

  /** One look, as the reconciler makes it. */
  private Optional<Authorities> look(ControlPlane controlPlane, List<Problem> problems) {
    PkiReconciler pki = new PkiReconciler(controlPlane, client, _ -> null, true, Clock.systemUTC());
    RetainedData.problem(Fixtures.sized(controlPlane).controlPlane(), client)
        .ifPresent(pki::refuse);
    Optional<Authorities> authorities = pki.authorities();
    authorities.ifPresent(_ -> KeysRecord.write(controlPlane, client));
    pki.result(authorities).problem().ifPresent(problems::add);
    return authorities;
  }

  /** The restored object has another UID; claims and Secrets have no owner, or one of before. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatIsThereIsTakenOverWhatIsMissingIsWaitedForAndNothingIsMadeAnew(boolean hasClaims) {
    Authorities before = look(controlPlane("before", null), new ArrayList<>()).orElseThrow();
    assertThat(annotated).containsExactly("demo/before");
    List<Secret> backup = List.copyOf(secrets.values());
    assertThat(backup).hasSize(4);
    for (int seed = 0; seed < ORDERS; seed++) {
      secrets.clear();
      claims.clear();
      created = 0;
      ControlPlane restored = controlPlane("after-" + seed, "demo/before");
      List<Runnable> steps = new ArrayList<>();
      backup.forEach(secret -> steps.add(() -> put(secret)));
      if (hasClaims) {
        steps.add(() -> claims.add(claim()));
      }
      Collections.shuffle(steps, new Random(seed));
      List<Problem> problems = new ArrayList<>();
      for (Runnable step : steps) {
        assertThat(look(restored, problems)).as("seed %d", seed).isEmpty();
        step.run();
      }
      assertThat(problems).hasSize(steps.size());
      assertThat(problems)
          .allMatch(
              problem ->
                  problem.message().contains("Restore the ")
                      && problem.message().contains("kubectl -n ns "));
      List<Problem> last = new ArrayList<>();
      Optional<Authorities> after = look(restored, last);
      if (hasClaims) {
        assertThat(last).as("seed %d", seed).isEmpty();
        assertThat(after.orElseThrow().cluster().ca().sha256())
            .isEqualTo(before.cluster().ca().sha256());
        assertThat(after.get().store().ca().sha256()).isEqualTo(before.store().ca().sha256());
      } else {
        assertThat(last.getFirst().message()).contains("but the claims with its data are missing");
      }
      assertThat(created).as("seed %d: made anew", seed).isZero();
    }
  }

  /** A copy under another name, and one whose annotation a person took away, begin anew. */
  @Test
  void whoIsNoRestoredOneGetsNewKeys() {
    for (String madeFor : new String[] {null, "other/before", "demo/after"}) {
      secrets.clear();
      assertThat(look(controlPlane("after", madeFor), new ArrayList<>())).isPresent();
    }
  }

  private PersistentVolumeClaim claim() {
    return new PersistentVolumeClaimBuilder()
        .withNewMetadata()
        .withName("data-demo-default-0")
        .withNamespace("ns")
        .addToLabels(ControlPlaneNames.CONTROL_PLANE_LABEL, "demo")
        .addToAnnotations(ControlPlaneNames.CONTROL_PLANE_UID, "before")
        .withOwnerReferences(
            new OwnerReferenceBuilder()
                .withApiVersion("apps/v1")
                .withKind("StatefulSet")
                .withName("demo-default")
                .withUid("dead")
                .build())
        .endMetadata()
        .build();
  }

  private void put(Secret secret) {
    secrets.put(secret.getMetadata().getName(), secret);
  }

  private void serve(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String name = path.substring(path.lastIndexOf('/') + 1);
    String sent = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Object answer = null;
    switch (exchange.getRequestMethod()) {
      case "GET" -> {
        if (path.contains("/persistentvolumeclaims")) {
          PersistentVolumeClaimList list = new PersistentVolumeClaimList();
          list.setItems(List.copyOf(claims));
          answer = list;
        } else {
          answer = secrets.get(name);
        }
      }
      case "POST" -> {
        Secret secret = Serialization.unmarshal(sent, Secret.class);
        created++;
        put(secret);
        answer = secret;
      }
      case "PATCH" -> {
        if (path.contains("/controlplanes/")) {
          annotated.add(
              Serialization.unmarshal(sent, ControlPlane.class)
                  .getMetadata()
                  .getAnnotations()
                  .get(KeysRecord.ANNOTATION));
          answer = controlPlane("any", null);
        } else {
          // What is written on a restored one does not matter here: a backup has it as it was.
          answer = secrets.get(name);
        }
      }
      default -> throw new IOException(exchange.getRequestMethod());
    }
    byte[] body =
        (answer == null
                ? "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":404}"
                : Serialization.asJson(answer))
            .getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(answer == null ? 404 : 200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
