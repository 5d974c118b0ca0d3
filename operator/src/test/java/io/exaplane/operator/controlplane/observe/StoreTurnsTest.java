// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.RotationSpec;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.TaskComponent;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.sizing.Sized;
import io.exaplane.operator.order.TaskOrders;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Three stores, named a, b and default, are replaced one after the other. */
class StoreTurnsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # asked; of each store: request/done/serves             | rolling | requests that come of it
          -  | -/-/yes   -/-/yes   -/-/yes                        | false   | - - -
          t1 | -/-/yes   -/-/yes   -/-/yes                        | false   | t1 - -
          t1 | t1/-/yes  -/-/yes   -/-/yes                        | false   | t1 - -
          t1 | t1/-/no   -/-/yes   -/-/yes                        | false   | t1 - -
          t1 | t1/t1/no  -/-/yes   -/-/yes                        | false   | t1 - -
          t1 | t1/t1/yes -/-/yes   -/-/yes                        | false   | t1 t1 -
          t1 | t1/t1/yes t1/t1/yes -/-/no                         | false   | t1 t1 -
          t1 | t1/t1/yes t1/t1/yes -/-/yes                        | false   | t1 t1 t1
          t1 | t1/t1/yes t1/t1/yes t1/t1/yes                      | false   | t1 t1 t1
          t1 | -/-/yes   -/-/yes   -/-/yes                        | true    | - - -
          t2 | t1/t1/yes t1/t1/yes t1/-/yes                       | false   | t1 t1 t1
          t2 | t1/t1/yes t1/t1/yes t1/t1/yes                      | false   | t2 t1 t1
          -  | t1/t1/yes t1/-/no   -/-/yes                        | false   | t1 t1 -
          """)
  void oneAfterTheOtherWhenAllElseServes(
      String asked, String stores, boolean rolling, String requests) {
    List<StoreShard> shards = new ArrayList<>();
    String[] each = stores.split(" +");
    for (int i = 0; i < each.length; i++) {
      shards.add(shard(List.of("a", "b", "default").get(i), each[i].split("/")));
    }
    assertThat(turns(asked, shards, rolling)).isEqualTo(requests);
  }

  @Test
  void aStoreThatIsMadeIsMadeOfTheNewest() {
    assertThat(turns("t1", List.of(), false)).isEqualTo("t1 t1 t1");
  }

  /** Line "Tasks": one store, when it is its turn; and a request of the spec is not repeated. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # spec asks; of each store: request[+known]/done/serves | rolling | requests[+known] of a, b, default
          -  | -/-/yes     -/-/yes       -/-/yes     | false | - task -
          -  | -/-/no      -/-/yes       -/-/yes     | false | - - -
          -  | -/-/yes     -/-/no        -/-/yes     | false | - task -
          -  | -/-/no      -/-/no        -/-/yes     | false | - - -
          -  | -/-/yes     -/-/no        -/-/yes     | true  | - - -
          t1 | -/-/yes     -/-/no        -/-/yes     | false | - task+t1 -
          t1 | t1/t1/yes   t1/-/no       t1/t1/yes   | false | t1 task+t1 t1
          t1 | t1/-/yes    t1/t1/no      t1/t1/yes   | false | t1 t1 t1
          -  | -/-/yes     -/-/yes       -/-/yes     | true  | - - -
          -  | -/-/yes     task/-/no     -/-/yes     | false | - task -
          -  | -/-/yes     task/task/yes -/-/yes     | false | - task -
          t1 | t1/t1/yes   t1/t1/yes     t1/t1/yes   | false | t1 task+t1 t1
          t1 | t1/t1/yes   task+t1/-/no  t1/t1/yes   | false | t1 task+t1 t1
          t1 | t1/t1/yes   task+t1/task/yes t1/t1/yes | false | t1 task+t1 t1
          t2 | t1/t1/yes   task+t1/task/yes t1/t1/yes | false | t2 task+t1 t1
          t2 | t2/t2/yes   task+t1/task/yes t1/t1/yes | false | t2 t2 t1
          t2 | t2/t2/yes   t1/t1/yes     t1/t1/yes   | false | t2 task+t2 t1
          """)
  void aTaskRestartsOneStoreAndTheSpecsRequestStaysKnown(
      String asked, String stores, boolean rolling, String requests) {
    List<StoreShard> shards = new ArrayList<>();
    String[] each = stores.split(" +");
    for (int i = 0; i < each.length; i++) {
      String[] state = each[i].split("/");
      String[] request = state[0].split("\\+");
      state[0] = request[0];
      StoreShard shard = shard(List.of("a", "b", "default").get(i), state);
      if (request.length > 1) {
        shard.getMetadata().setAnnotations(Map.of(StoreTurns.KNOWN_REQUEST, request[1]));
      }
      shards.add(shard);
    }
    ControlPlane controlPlane = controlPlane(asked);
    StoreTurns turns =
        turns(
            controlPlane,
            shards,
            rolling,
            new TaskOrders(
                List.of(new TaskOrders.Restart(TaskComponent.Store, "b", "task", false)),
                new RotationSpec(null, null),
                Optional.empty()));
    boolean done = stores.contains("task/task") || stores.contains("task+t1/task");
    assertThat(
            String.join(
                " ",
                StorageSpec.stores(controlPlane.getSpec().storage()).stream()
                    .map(
                        store ->
                            (turns.restartedAt(store) == null ? "-" : turns.restartedAt(store))
                                + turns.knownRequest(store).map(known -> "+" + known).orElse(""))
                    .toList()))
        .isEqualTo(requests);
    assertThat(done || turns.arePending(StorageSpec.stores(controlPlane.getSpec().storage())))
        .isTrue();
  }

  private static ControlPlane controlPlane(String asked) {
    return Fixtures.controlPlane(
        "{version: 1.36.3, maxNodes: 10, storage: {stores: [{name: a}, {name: b}, {name: default}]%s}}"
            .formatted(asked.equals("-") ? "" : ", restartedAt: " + asked));
  }

  private static String turns(String asked, List<StoreShard> shards, boolean rolling) {
    ControlPlane controlPlane = controlPlane(asked);
    Sized sized = Fixtures.sized(controlPlane);
    StoreTurns turns = turns(controlPlane, shards, rolling);
    return String.join(
        " ",
        StorageSpec.stores(sized.controlPlane().spec().storage()).stream()
            .map(turns::restartedAt)
            .map(request -> request == null ? "-" : request)
            .toList());
  }

  private static StoreTurns turns(
      ControlPlane controlPlane, List<StoreShard> shards, boolean rolling) {
    return turns(controlPlane, shards, rolling, TaskOrders.NONE);
  }

  private static StoreTurns turns(
      ControlPlane controlPlane, List<StoreShard> shards, boolean rolling, TaskOrders orders) {
    return new StoreTurns(
        new Observed(
            Fixtures.sized(controlPlane),
            shards,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            null,
            Optional.empty(),
            rolling ? List.of(new Deployment()) : List.of(),
            List.of(),
            null,
            orders),
        Optional.empty());
  }

  private static StoreShard shard(String name, String[] state) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: StoreShard
        metadata: {name: demo-%s, namespace: ns}
        spec: {tls: {secretRef: {name: t}}%s}
        status: {conditions: [{type: Ready, status: "%s"}]%s}
        """
            .formatted(
                name,
                state[0].equals("-") ? "" : ", restartedAt: " + state[0],
                state[2].equals("yes") ? "True" : "False",
                state[1].equals("-") ? "" : ", restartedAt: " + state[1]),
        StoreShard.class);
  }

  /** Line 6 (g): a store whose volume grew is restarted; so they grow one after the other. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # sizes asked of a, b, default | size/VolumeSized/serves, or is full/told of each                   | rolling | sizes that come of it
          10Gi 10Gi 10Gi | 10Gi/-/yes/yes               10Gi/-/yes/yes               10Gi/-/yes/yes | false | 10Gi 10Gi 10Gi
          20Gi 20Gi 20Gi | 10Gi/-/yes/yes               10Gi/-/yes/yes               10Gi/-/yes/yes | false | 20Gi 10Gi 10Gi
          20Gi 20Gi 20Gi | 20Gi/-/yes/no                10Gi/-/yes/yes               10Gi/-/yes/yes | false | 20Gi 10Gi 10Gi
          20Gi 20Gi 20Gi | 20Gi/VolumeGrowing/yes/yes   10Gi/-/yes/yes               10Gi/-/yes/yes | false | 20Gi 10Gi 10Gi
          20Gi 20Gi 20Gi | 20Gi/AsExpected/no/yes       10Gi/-/yes/yes               10Gi/-/yes/yes | false | 20Gi 10Gi 10Gi
          20Gi 20Gi 20Gi | 20Gi/AsExpected/yes/yes      10Gi/-/yes/yes               10Gi/-/yes/yes | false | 20Gi 20Gi 10Gi
          20Gi 20Gi 20Gi | 20Gi/VolumeCantGrow/yes/yes  10Gi/-/yes/yes               10Gi/-/yes/yes | false | 20Gi 20Gi 10Gi
          20Gi 20Gi 20Gi | 10Gi/-/no/yes                10Gi/-/yes/yes               10Gi/-/yes/yes | false | 20Gi 10Gi 10Gi
          20Gi 20Gi 20Gi | 10Gi/-/yes/yes               10Gi/-/no/yes                10Gi/-/yes/yes | false | 10Gi 20Gi 10Gi
          20Gi 20Gi 20Gi | 10Gi/-/yes/yes               10Gi/-/full/yes              10Gi/-/full/yes | false | 20Gi 20Gi 20Gi
          20Gi 20Gi 20Gi | 10Gi/-/yes/yes               10Gi/-/yes/yes               10Gi/-/full/yes | true | 10Gi 10Gi 20Gi
          20Gi 10Gi 10Gi | 10Gi/-/yes/yes               10Gi/-/no/yes                10Gi/-/yes/yes | false | 10Gi 10Gi 10Gi
          20Gi 20Gi 20Gi | 10Gi/-/yes/yes               10Gi/-/yes/yes               10Gi/-/yes/yes | true  | 10Gi 10Gi 10Gi
          10Gi 20Gi 20Gi | 20Gi/VolumeCantGrow/yes/yes  20Gi/VolumeGrowing/yes/yes   10Gi/-/yes/yes | false | 10Gi 20Gi 10Gi
          """)
  void theyGrowOneAfterTheOther(String asked, String stores, boolean rolling, String sizes) {
    List<String> names = List.of("a", "b", "default");
    List<StoreShard> shards = new ArrayList<>();
    String[] each = stores.split(" +");
    String[] size = asked.split(" ");
    StringBuilder spec = new StringBuilder();
    for (int i = 0; i < each.length; i++) {
      shards.add(sizedShard(names.get(i), each[i].split("/")));
      spec.append("{name: %s, storage: {size: %s}}, ".formatted(names.get(i), size[i]));
    }
    StoreTurns turns =
        turns(
            Fixtures.controlPlane(
                "{version: 1.36.3, maxNodes: 10, storage: {stores: [%s]}}".formatted(spec)),
            shards,
            rolling);
    assertThat(
            StorageSpec.stores(
                    Fixtures.controlPlane(
                            "{version: 1.36.3, maxNodes: 10, storage: {stores: [%s]}}"
                                .formatted(spec))
                        .getSpec()
                        .storage())
                .stream()
                .map(store -> turns.sized(store).storage().size().toString()))
        .containsExactly(sizes.split(" "));
  }

  private static StoreShard sizedShard(String name, String[] state) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: StoreShard
        metadata: {name: demo-%s, namespace: ns, generation: 2}
        spec: {tls: {secretRef: {name: t}}, storage: {size: %s}}
        status: {observedGeneration: %s, conditions: [{type: Ready, status: "%s"}%s%s]}
        """
            .formatted(
                name,
                state[0],
                state[3].equals("yes") ? "2" : "1",
                state[2].equals("no") ? "False" : "True",
                state[2].equals("full")
                    ? ", {type: CapacityAvailable, status: \"False\", reason: SpaceExceeded}"
                    : "",
                state[1].equals("-")
                    ? ""
                    : ", {type: VolumeSized, status: \"%s\", reason: %s}"
                        .formatted(state[1].equals("AsExpected") ? "True" : "False", state[1])),
        StoreShard.class);
  }
}
