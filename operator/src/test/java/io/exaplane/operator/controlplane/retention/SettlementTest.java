// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.AnsweringApi;
import io.exaplane.operator.AnsweringApi.Answer;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.names.StoreNames;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Data that is to be kept has no owner, and none that is about to come, before a store goes. */
class SettlementTest {
  private static final String OWNED =
      ", ownerReferences: [{apiVersion: exaplane.io/v1alpha1, kind: StoreShard, name: demo-default, uid: s}]";

  private final List<String> writes = new ArrayList<>();
  private String owners = "";
  private String routes;
  private AnsweringApi api;
  private KubernetesClient client;

  @BeforeEach
  void serve() throws IOException {
    api =
        new AnsweringApi(
            request -> {
              String path = request.path();
              boolean writing = request.method().equals("PATCH");
              if (writing) {
                writes.add(path.substring(path.lastIndexOf('/') + 1) + " " + request.body());
              }
              return path.endsWith("/persistentvolumeclaims")
                  ? new Answer(200, claims())
                  : writing ? new Answer(200, "{}") : new Answer(404, NOT_FOUND);
            });
    client = api.client();
  }

  private static final String NOT_FOUND =
      "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":404}";

  @AfterEach
  void close() {
    api.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // the shard's deletion | generation that it has seen, of 2 | owned | what is left | writes
        "Retain | 2 | false | ''                                           | ''",
        "Retain | 1 | false | StoreShard demo-default with its claim's owner | ''",
        "Delete | 2 | true  | StoreShard demo-default with its claim's owner | demo-default {\"spec\":{\"deletion\":\"Retain\"}}",
        "Retain | 1 | true  | StoreShard demo-default with its claim's owner | ''",
        "Retain | 2 | true  | the owner of PersistentVolumeClaim data-demo-default-0 | data-demo-default-0 {\"metadata\":{\"ownerReferences\":null}}",
      })
  void aStoreThatMayStillOwnItsClaimIsAwaited(
      String deletion, long seen, boolean owned, String left, String written) {
    owners = owned ? OWNED : "";
    ControlPlane controlPlane = Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1}");
    assertThat(Settlement.settle(controlPlane, List.of(shard(deletion, seen)), client))
        .isEqualTo(left.isEmpty() ? List.of() : List.of(left));
    assertThat(writes).isEqualTo(written.isEmpty() ? List.of() : List.of(written));
    assertThat(Settlement.isEndangered(controlPlane, client)).isEqualTo(owned);
  }

  private static final String OLD = "[]";
  private static final String NEW =
      "[{\"store\":\"leases\",\"resources\":[{\"group\":\"coordination.k8s.io\",\"resource\":\"leases\"}]}]";

  /** A patch was refused right after a move, and the control plane is removed. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # store's | claim's | the Service leads to | movedBy | what becomes the spec's
          NEW | NEW | leases  | true  | ''
          NEW | OLD | leases  | true  | PersistentVolumeClaim data-demo-default-0
          OLD | NEW | leases  | true  | StoreShard demo-default
          OLD | OLD | leases  | true  | ''
          NEW | OLD | default | true  | ''
          NEW | OLD | leases  | false | ''
          NEW | x   | leases  | true  | PersistentVolumeClaim data-demo-default-0
          """)
  void claimsThatStayTellTheSameRoutes(
      String stores, String claim, String leadsTo, boolean marked, String mended) {
    routes = routes(claim);
    ControlPlane controlPlane =
        Fixtures.controlPlane(
            "{version: 1.36.3, maxNodes: 1, storage: {routes: %s%s}}"
                .formatted(NEW, marked ? ", movedBy: mark" : ""));
    controlPlane.setStatus(
        Serialization.unmarshal(
            "routes: [{resource: {group: coordination.k8s.io, resource: leases}, store: %s, address: 10.0.0.1}]"
                .formatted(leadsTo),
            ControlPlaneStatus.class));
    StoreShard shard = shard("Retain", 2);
    shard.getMetadata().setAnnotations(Map.of(StoreNames.ROUTES_ANNOTATION, routes(stores)));
    assertThat(Settlement.settle(controlPlane, List.of(shard), client))
        .isEqualTo(mended.isEmpty() ? List.of() : List.of("the routes of " + mended));
    assertThat(writes).hasSize(mended.isEmpty() ? 0 : 1);
    assertThat(writes)
        .allSatisfy(
            write ->
                assertThat(write)
                    .startsWith(mended.substring(mended.indexOf(' ') + 1) + " ")
                    .contains(StoreNames.ROUTES_ANNOTATION, "coordination.k8s.io"));
  }

  private static String routes(String named) {
    return switch (named) {
      case "NEW" -> NEW;
      case "OLD" -> OLD;
      default -> "damaged";
    };
  }

  private String claims() {
    PersistentVolumeClaimList list =
        Serialization.unmarshal(
            """
            apiVersion: v1
            kind: PersistentVolumeClaimList
            metadata: {}
            items:
            - {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data-demo-default-0, namespace: ns, uid: c%s}}
            """
                .formatted(owners),
            PersistentVolumeClaimList.class);
    if (routes != null) {
      list.getItems()
          .getFirst()
          .getMetadata()
          .setAnnotations(Map.of(StoreNames.ROUTES_ANNOTATION, routes));
    }
    return Serialization.asJson(list);
  }

  private static StoreShard shard(String deletion, long seen) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: StoreShard
        metadata: {name: demo-default, namespace: ns, uid: s, generation: 2}
        spec: {engine: Memory, deletion: %s, storage: {type: PersistentVolume}}
        status: {observedGeneration: %d}
        """
            .formatted(deletion, seen),
        StoreShard.class);
  }
}
