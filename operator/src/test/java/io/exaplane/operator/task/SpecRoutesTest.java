// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.AnsweringApi;
import io.exaplane.operator.AnsweringApi.Answer;
import io.exaplane.operator.task.observe.StoragePlan;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked of an API server, and what its answers mean. */
class SpecRoutesTest {
  private static final String CLAIMS =
      "{\"apiVersion\":\"v1\",\"kind\":\"PersistentVolumeClaimList\",\"metadata\":{},\"items\":[{\"metadata\":{\"name\":\"data-demo-leases-0\",\"namespace\":\"ns\"}}]}";

  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<String> bodies = new CopyOnWriteArrayList<>();
  private final ControlPlane controlPlane =
      Tasks.controlPlane(
          ", storage: {stores: [{name: default}, {name: leases}], routes: [{store: leases, resources: [{group: '', resource: nodes}]}]}",
          "{}");
  private AnsweringApi api;
  private KubernetesClient client;
  private volatile int answer = 200;

  @BeforeEach
  void listen() throws IOException {
    controlPlane.getMetadata().setResourceVersion("7");
    api =
        new AnsweringApi(
            request -> {
              if (request.reads()) {
                return new Answer(200, CLAIMS);
              }
              asked.add(request.uri());
              bodies.add(request.body());
              return new Answer(
                  answer,
                  answer == 200
                      ? request.body()
                      : "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"spec.storage.routes: Too many: 21\",\"code\":%d}"
                          .formatted(answer));
            });
    client = api.client();
  }

  @AfterEach
  void close() {
    api.close();
  }

  private Optional<String> objection() {
    return new SpecRoutes(client)
        .objection(
            controlPlane,
            StoragePlan.of(controlPlane).moved(new ResourceRef("", "pods"), "leases", "m"));
  }

  @Test
  void aDryRunWritesNothing() {
    assertThat(objection()).isEmpty();
    assertThat(asked).singleElement().asString().contains("dryRun=All");
    assertThat(bodies.getFirst()).contains("\"resourceVersion\":\"7\"", "\"movedBy\":\"m\"");
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 403, 422})
  void aRefusalThatLastsIsToldInTheWordsOfTheServer(int code) {
    answer = code;
    assertThat(objection()).contains("spec.storage.routes: Too many: 21");
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 404, 409})
  void anotherLookRepeatsWhatPasses(int code) {
    answer = code;
    assertThatThrownBy(this::objection).isInstanceOf(KubernetesClientException.class);
  }

  /** The claims outlive the stores: whoever takes them over reads the routes there. */
  @Test
  void routesAreKeptOnStoresAndThenOnClaims() {
    StoreShard shard =
        Serialization.unmarshal(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: StoreShard
            metadata: {name: demo-leases, namespace: ns}
            """,
            StoreShard.class);
    new SpecRoutes(client).keep(controlPlane, List.of(shard));
    assertThat(asked)
        .hasSize(2)
        .satisfies(paths -> assertThat(paths.get(0)).contains("/storeshards/demo-leases"))
        .satisfies(
            paths ->
                assertThat(paths.get(1)).contains("/persistentvolumeclaims/data-demo-leases-0"));
    assertThat(bodies)
        .allMatch(body -> body.contains("exaplane.io/routes") && body.contains("nodes"));
  }
}
