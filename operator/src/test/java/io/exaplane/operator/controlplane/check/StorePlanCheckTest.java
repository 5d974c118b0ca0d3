// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.RotationSpec;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.sizing.StorePlan;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.order.TaskOrders;
import io.exaplane.operator.outcome.Problem;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A control plane that was made without words about storage, and is given some. */
class StorePlanCheckTest {
  private static final List<StoreShard> MADE =
      List.of(
          shard("default", "Critical", "{type: PersistentVolume, size: 10Gi}"),
          shard("events", "BestEffort", "{type: EmptyDir}"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {onDataLoss: StartEmpty}                                                                        | ''
          {stores: [{name: default}, {name: events, criticality: BestEffort}]}                            | ''
          {stores: [{name: events, criticality: BestEffort}, {name: default}]}                            | ''
          {stores: [{name: default, resources: {limits: {memory: 4Gi}}}, {name: events, criticality: BestEffort}]} | ''
          {stores: [{name: default, storage: {size: 10Gi}}, {name: events, criticality: BestEffort}]}     | ''
          {routes: [{store: events, resources: [{group: '', resource: events}, {group: events.k8s.io, resource: events}]}]} | ''
          {stores: [{name: default}]}                                                                     | also include demo-events
          {stores: [{name: default}, {name: events, criticality: BestEffort}, {name: pods}]}              | ''
          {stores: [{name: default}, {name: events}]}                                                     | store events: criticality is BestEffort
          {stores: [{name: default, engine: Etcd}, {name: events, criticality: BestEffort}]}              | store default: engine is Memory
          {stores: [{name: default, storage: {size: 20Gi}}, {name: events, criticality: BestEffort}]}     | ''
          {stores: [{name: default, storage: {size: 10240Mi}}, {name: events, criticality: BestEffort}]}  | ''
          {stores: [{name: default, storage: {type: EmptyDirLosesDataWithPod}}, {name: events, criticality: BestEffort}]} | store default: storage is PersistentVolume
          {routes: [{store: events, resources: [{group: '', resource: events}]}]}                         | The existing routes are
          {routes: []}                                                                                    | The existing routes are
          """)
  void onlyTheStoresThatAreThereCanBeWrittenDown(String storage, String said) {
    Optional<Problem> problem = check(asked(storage), MADE);
    if (said.isEmpty()) {
      assertThat(problem).isEmpty();
    } else {
      assertThat(problem.orElseThrow().reason()).isEqualTo(Reason.OtherStores);
      assertThat(problem.orElseThrow().message())
          .contains(said, "Move resources with a ControlPlaneTask");
    }
  }

  @Test
  void aStoreDoesNotShrink() {
    Problem problem =
        check(
                asked(
                    "{stores: [{name: default, storage: {size: 5Gi}}, {name: events, criticality: BestEffort}]}"),
                MADE)
            .orElseThrow();
    assertThat(problem.reason()).isEqualTo(Reason.VolumeCantShrink);
    assertThat(problem.message())
        .contains(
            "spec.storage.stores, at default, storage.size 5Gi: is smaller than 10Gi",
            "Set 10Gi or more");
  }

  /** The StorageClass let no volume grow: the size goes back to what the volume has, not below. */
  @Test
  void aSizeThatNeverCameCanBeSetBack() {
    List<StoreShard> asksForMore =
        List.of(
            Serialization.unmarshal(
                Serialization.asYaml(
                        shard("default", "Critical", "{type: PersistentVolume, size: 20Gi}"))
                    + "status: {volumeSize: 10Gi}\n",
                StoreShard.class),
            MADE.get(1));
    String storage =
        "{stores: [{name: default, storage: {size: %s}}, {name: events, criticality: BestEffort}]}";
    for (String size : List.of("10Gi", "15Gi", "20Gi", "30Gi")) {
      assertThat(check(asked(storage.formatted(size)), asksForMore)).isEmpty();
    }
    assertThat(check(asked(storage.formatted("9Gi")), asksForMore).orElseThrow().message())
        .contains("storage.size 9Gi: is smaller than 10Gi", "Set 10Gi or more");
  }

  @Test
  void aStoreThatSomebodyDeletedIsMadeAgain() {
    ControlPlane asked =
        Serialization.unmarshal(
            Serialization.asYaml(
                    asked("{stores: [{name: default}, {name: events, criticality: BestEffort}]}"))
                + "status: {stores: {summary: 2/2, items: [{name: default, shard: demo-default}, {name: events, shard: demo-events}]}}\n",
            ControlPlane.class);
    assertThat(check(asked, MADE.subList(0, 1))).isEmpty();
  }

  @Test
  void beforeThereIsAnyAllIsFree() {
    assertThat(check(asked("{stores: [{name: default}]}"), List.of())).isEmpty();
  }

  /** Names of stores say what was chosen if nothing else does: a new one could look like that. */
  @Test
  void whereNobodyKnowsTheRoutesNoStoreIsAdded() {
    StoreShard bare = shard("default", "Critical", "{type: PersistentVolume}");
    bare.getMetadata().getAnnotations().clear();
    assertThat(check(asked("{stores: [{name: default}, {name: pods}], routes: []}"), List.of(bare)))
        .hasValueSatisfying(
            problem ->
                assertThat(problem.message())
                    .contains("the existing stores do not include demo-pods"));
  }

  /** Only the mark of a task that runs explains other routes, and only those of its resources. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # resource of the route, its store | movedBy                  | accepted
          leases | leases                    | m uid-m coordination.k8s.io/leases | true
          leases | leases                    | m uid-m coordination.k8s.io/pods   | false
          leases | leases                    | another                            | false
          leases | leases                    |                                    | false
          leasecandidates | leases           | m uid-m coordination.k8s.io/leases | false
          leases | leases                    | m uid-m /nodes                     | true
          """)
  void routesThatATaskWroteAreAccepted(
      String resource, String store, String movedBy, boolean accepted) {
    TaskOrders orders =
        new TaskOrders(
            List.of(),
            new RotationSpec(null, null),
            Optional.empty(),
            Map.of(),
            List.of(
                new TaskOrders.Move(
                    new ResourceRef("coordination.k8s.io", "leases"),
                    "default",
                    "leases",
                    true,
                    "leases",
                    "m uid-m coordination.k8s.io/leases"),
                new TaskOrders.Move(
                    new ResourceRef("", "nodes"),
                    "default",
                    "leases",
                    true,
                    "leases",
                    "m uid-m /nodes")));
    ControlPlane asked =
        asked(
            """
            {stores: [{name: default}, {name: events, criticality: BestEffort}, {name: %2$s}],
             routes: [{store: events, resources: [{group: '', resource: events}, {group: events.k8s.io, resource: events}]},
                      {store: %2$s, resources: [{group: coordination.k8s.io, resource: %1$s}]}]%3$s}
            """
                .formatted(resource, store, movedBy == null ? "" : ", movedBy: " + movedBy));
    assertThat(StorePlanCheck.check(asked, MADE, orders).isEmpty()).isEqualTo(accepted);
  }

  /** The mark of a task that ended comes back with an earlier manifest; the schema takes it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                                            | together with any value of spec.storage.movedBy
          ', movedBy: m uid-m coordination.k8s.io/leases' | together with another value of spec.storage.movedBy than m uid-m coordination.k8s.io/leases
          """)
  void otherRoutesAreRefusedWithTheWayBack(String movedBy, String way) {
    Problem problem = check(asked("{routes: []%s}".formatted(movedBy)), MADE).orElseThrow();
    assertThat(problem.reason()).isEqualTo(Reason.OtherStores);
    assertThat(problem.message()).contains("The existing routes are [{\"store\":\"events\"", way);
  }

  private static Optional<Problem> check(ControlPlane asked, List<StoreShard> shards) {
    return StorePlanCheck.check(asked, shards, TaskOrders.NONE);
  }

  private static ControlPlane asked(String storage) {
    return Fixtures.controlPlane("{version: 1.36.3, maxNodes: 10, storage: " + storage + "}");
  }

  private static StoreShard shard(String name, String criticality, String storage) {
    StoreShard shard =
        Serialization.unmarshal(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: StoreShard
            metadata:
              name: demo-%s
              namespace: ns
              ownerReferences: [{apiVersion: exaplane.io/v1alpha1, kind: ControlPlane, name: demo, uid: u}]
            spec: {engine: Memory, criticality: %s, storage: %s, tls: {secretRef: {name: t}}}
            """
                .formatted(name, criticality, storage),
            StoreShard.class);
    shard.getMetadata().getAnnotations().put(StoreNames.ROUTES_ANNOTATION, StorePlan.text(null));
    return shard;
  }
}
