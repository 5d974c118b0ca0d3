// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.operator.AnsweringApi;
import io.exaplane.operator.status.EventRecorder;
import io.exaplane.operator.status.Recorders;
import io.exaplane.operator.task.Tasks;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A removal tells of itself first in the status, and by Events only when that was written. */
class RemovalTest {
  private static final String NO_SHARDS =
      "{\"apiVersion\":\"exaplane.io/v1alpha1\",\"kind\":\"StoreShardList\",\"metadata\":{},\"items\":[]}";

  /** One that is still there. */
  private static final String DEPLOYMENTS =
      "{\"apiVersion\":\"apps/v1\",\"kind\":\"DeploymentList\",\"metadata\":{},\"items\":[{\"metadata\":{\"name\":\"demo-apiserver\",\"namespace\":\"ns\",\"deletionTimestamp\":\"2026-11-26T10:00:00Z\"}}]}";

  private static final String NO_CLAIMS =
      "{\"apiVersion\":\"v1\",\"kind\":\"PersistentVolumeClaimList\",\"metadata\":{},\"items\":[]}";

  private static final String CLAIMS =
      "{\"apiVersion\":\"v1\",\"kind\":\"PersistentVolumeClaimList\",\"metadata\":{},\"items\":[{\"metadata\":{\"name\":\"data-demo-default-0\",\"namespace\":\"ns\"}}]}";

  private final List<String> writes = new CopyOnWriteArrayList<>();
  private final List<String> bodies = new CopyOnWriteArrayList<>();
  private String claims = CLAIMS;
  private String tasks = "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"metadata\":{},\"items\":[]}";
  private Instant now = Instant.parse("2026-11-26T10:00:01Z");
  private boolean finalizerIsRemoved;

  @ParameterizedTest
  @ValueSource(ints = {200, 403})
  void theStatusComesFirst(int answer) throws Exception {
    remove(DEPLOYMENTS, answer);
    if (answer == 200) {
      assertThat(writes).startsWith("status").contains("events");
    } else {
      assertThat(writes).containsExactly("status");
    }
  }

  /** The Event outlives its control plane: whoever looks for the data finds where it is. */
  @Test
  void dataThatStaysIsToldAtTheEnd() throws Exception {
    remove(
        "{\"apiVersion\":\"apps/v1\",\"kind\":\"DeploymentList\",\"metadata\":{},\"items\":[]}",
        200);
    assertThat(writes).containsExactly("demo", "events");
    assertThat(bodies.getLast())
        .contains("DataRetained", "\"type\":\"Normal\"", "data-demo-default-0");
  }

  /** Keys of a Kind would be in two stores whose data is kept: also after hours. */
  @ParameterizedTest
  @CsvSource({"CopyKeys, true", "SwitchRoute, true", "ReplacePods, false"})
  void nothingIsDeletedWhileAMoveIsUnderWay(String step, boolean holds) throws Exception {
    ControlPlaneTask task =
        Tasks.running(
            "reshard: {toStore: leases, resources: [{group: apps, resource: deployments}]}", step);
    task.getMetadata()
        .setOwnerReferences(
            Fixtures.ownedBy(Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1}")));
    tasks =
        "{\"apiVersion\":\"exaplane.io/v1alpha1\",\"kind\":\"ControlPlaneTaskList\",\"metadata\":{},\"items\":[%s]}"
            .formatted(Serialization.asJson(task));
    now = now.plusSeconds(36_000);
    remove(DEPLOYMENTS, 200);
    assertThat(finalizerIsRemoved).isEqualTo(!holds);
    if (holds) {
      assertThat(bodies)
          .anyMatch(body -> body.contains("ControlPlaneTask t. See 'kubectl describe cpltask"));
    }
  }

  /** An owner would take the claim along as soon as the finalizer is gone. */
  @ParameterizedTest
  @CsvSource({
    "'', true",
    "',\"ownerReferences\":[{\"kind\":\"StoreShard\",\"uid\":\"s\"}]', false"
  })
  void dataThatIsToStayIsNotGivenUpAfterThreeMinutes(String owners, boolean ends) throws Exception {
    claims = CLAIMS.replace("\"namespace\":\"ns\"", "\"namespace\":\"ns\"" + owners);
    now = now.plusSeconds(600);
    remove(DEPLOYMENTS, 200);
    assertThat(finalizerIsRemoved).isEqualTo(ends);
    assertThat(writes.contains("data-demo-default-0"))
        .as("the owner is taken away")
        .isEqualTo(!ends);
  }

  /** Line 31: the SDK would repeat that without a word, and the status would say to wait. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // answer | message | reason of Deleting | seconds until the next attempt
        "200 | '' | '' | 0",
        "404 | gone | '' | 0",
        "409 | the object has been modified | '' | 1",
        "503 | shutting down | '' | 1",
        "403 | admission webhook \"w.example\" denied the request: frozen | Webhook w.example refuses to change ControlPlane demo: frozen | 10",
        "403 | controlplanes.exaplane.io \"demo\" is forbidden: User \"o\" cannot patch resource \"controlplanes\" | RBAC refuses to change ControlPlane demo | 10",
      })
  void aFinalizerThatCannotBeRemovedIsTold(int code, String message, String told, long again)
      throws Exception {
    List<String> asked = new CopyOnWriteArrayList<>();
    try (AnsweringApi api =
        new AnsweringApi(
            request -> {
              asked.add(request.path() + " " + request.body());
              boolean refuses = request.path().endsWith("/demo") && code != 200;
              return new AnsweringApi.Answer(
                  refuses ? code : 200,
                  refuses
                      ? Serialization.asJson(
                          new StatusBuilder().withCode(code).withMessage(message).build())
                      : request.reads() ? NO_CLAIMS : request.body());
            })) {
      Clock clock = Clock.fixed(now, ZoneOffset.UTC);
      EventRecorder events = Recorders.of(api.client(), clock);
      ControlPlane controlPlane = Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1}");
      controlPlane.getMetadata().setDeletionTimestamp("2026-11-26T10:00:00Z");
      controlPlane.getMetadata().setResourceVersion("7");
      controlPlane.getMetadata().setFinalizers(List.of("mine", "ours/finalizer"));
      DeleteControl control =
          new Removal(events, clock).letGo(controlPlane, "ours/finalizer", api.client());
      Recorders.close(events);
      assertThat(control.isRemoveFinalizer()).isFalse();
      assertThat(control.getScheduleDelay())
          .isEqualTo(again == 0 ? Optional.empty() : Optional.of(again * 1000));
      assertThat(asked)
          .filteredOn(each -> each.contains("finalizers"))
          .singleElement()
          .asString()
          .contains("\"finalizers\":[\"mine\"]", "\"resourceVersion\":\"7\"");
      assertThat(asked)
          .filteredOn(each -> each.contains("/status "))
          .hasSize(told.isEmpty() ? 0 : 1)
          .allSatisfy(each -> assertThat(each).contains(told, "WriteRefused"));
    }
  }

  private void remove(String deployments, int answer) throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] sent = exchange.getRequestBody().readAllBytes();
          String path = exchange.getRequestURI().getPath();
          boolean reads = exchange.getRequestMethod().equals("GET");
          int status = 200;
          String body = new String(sent, StandardCharsets.UTF_8);
          if (reads) {
            body =
                path.endsWith("/deployments")
                    ? deployments
                    : path.endsWith("/storeshards")
                        ? NO_SHARDS
                        : path.endsWith("/controlplanetasks")
                            ? tasks
                            : path.endsWith("/persistentvolumeclaims")
                                ? claims
                                : "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"metadata\":{},\"items\":[]}";
          } else {
            writes.add(path.substring(path.lastIndexOf('/') + 1));
            bodies.add(body);
            if (path.endsWith("/status")) {
              status = answer;
            }
          }
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    Clock clock = Clock.fixed(now, ZoneOffset.UTC);
    try (var client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(Config.empty())
                    .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build()) {
      ControlPlane controlPlane = Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1}");
      controlPlane.getMetadata().setDeletionTimestamp("2026-11-26T10:00:00Z");
      EventRecorder events = Recorders.of(client, clock);
      Removal removal = new Removal(events, clock);
      finalizerIsRemoved = removal.proceed(controlPlane, client).isRemoveFinalizer();
      if (finalizerIsRemoved) {
        removal.letGo(controlPlane, "ours", client);
      }
      Recorders.close(events);
    } finally {
      server.stop(0);
    }
  }
}
