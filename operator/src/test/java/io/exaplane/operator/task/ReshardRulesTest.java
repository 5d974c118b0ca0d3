// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.config.BuiltinResources;
import io.exaplane.operator.task.condition.ReshardRules;
import io.exaplane.operator.task.condition.TaskRules;
import io.exaplane.operator.task.observe.Look;
import io.exaplane.operator.task.observe.StoragePlan;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Line "Re-sharding", bad input: field, value, rule and next action; or why a task waits. */
class ReshardRulesTest {
  private static final String STORES =
      """
      , %sstorage: {stores: [{name: default}, {name: events, criticality: BestEffort}, {name: leases}, {name: old, engine: Etcd},
                             {name: brief, storage: {type: EmptyDirLosesDataWithPod}}],
                    routes: [{store: events, resources: [{group: '', resource: events}]}, {store: leases, resources: [{group: coordination.k8s.io, resource: leases}]},
                             {store: old, resources: [{group: '', resource: pods}]}]}
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # to     | group               | resource | more of the spec | words of the refusal
          leases   | ''                  | nodes    | ''               | ''
          default  | coordination.k8s.io | leases   | ''               | ''
          pods     | ''                  | nodes    | ''               | spec.reshard.toStore pods: is no store of ControlPlane demo, whose stores are default, events, leases, old, brief; add the store to spec.storage.stores
          leases   | coordination.k8s.io | leases   | ''               | spec.reshard.toStore leases: has the resource coordination.k8s.io/leases already; name another store
          leases   | ''                  | events   | ''               | spec.reshard.resources /events: Events end by themselves; remove the resource
          leases   | ''                  | services | ''               | spec.reshard.resources /services: kube-apiserver keeps the node ports and addresses that are in use below /registry/ranges; remove the resource
          leases   | events.k8s.io       | events   | ''               | spec.reshard.resources events.k8s.io/events: Events end by themselves; remove the resource
          leases   | example.com         | widgets  | ''               | spec.reshard.resources example.com/widgets: is no built-in resource of Kubernetes 1.36.3; correct group and plural name
          leases   | ''                  | leases   | ''               | spec.reshard.resources /leases: is no built-in resource; remove the resource
          events   | ''                  | nodes    | ''               | at store events, criticality BestEffort: the store may hold only Events; name a Critical store
          old      | ''                  | nodes    | ''               | at store old, engine Etcd: resources move only between stores of the engine Memory; name stores of that engine
          leases   | ''                  | pods     | ''               | at store old, engine Etcd: resources move only between stores of the engine Memory
          brief    | ''                  | nodes    | ''               | at store brief, storage.type: the store has no PersistentVolume; name stores with a PersistentVolume
          leases   | ''                  | nodes    | 'apiServer: {extraArgs: [{name: etcd-prefix, value: /registry}]}, ' | ''
          leases   | ''                  | nodes    | 'apiServer: {extraArgs: [{name: etcd-prefix, value: /k8s}]}, '      | spec.apiServer.extraArgs etcd-prefix /k8s of ControlPlane demo; create a ControlPlane
          """)
  void eachRefusalNamesFieldValueRuleAndNextAction(
      String to, String group, String resource, String more, String words) {
    Optional<String> refusal =
        TaskRules.rejection(task(to, group, resource), look(STORES.formatted(more), "True"));
    if (words.isEmpty()) {
      assertThat(refusal).isEmpty();
    } else {
      assertThat(refusal.orElse("")).contains(words.split("; "));
    }
  }

  /** What the schema of the routes would refuse after the switch is refused before. */
  @Test
  void aRouteHasAtMostTwentyResources() {
    List<String> all =
        BuiltinResources.ofVersion("1.36.3").stream()
            .filter(name -> !name.endsWith("/events") && !name.equals("/services"))
            .filter(name -> !name.equals("/pods") && !name.equals("coordination.k8s.io/leases"))
            .sorted()
            .map(name -> name.split("/"))
            .map(name -> "{group: '%s', resource: %s}".formatted(name[0], name[1]))
            .toList();
    Look look = look(STORES.formatted(""), "True");
    assertThat(TaskRules.rejection(task(all.subList(0, 19)), look)).isEmpty();
    assertThat(TaskRules.rejection(task(all.subList(0, 20)), look).orElse(""))
        .contains(
            "spec.reshard.resources: 21 resources would have a route to store leases",
            "at most 20",
            "name fewer resources");
  }

  private static ControlPlaneTask task(List<String> resources) {
    return Tasks.task(
        "t",
        0,
        "reshard: {toStore: leases, resources: [%s]}".formatted(String.join(", ", resources)));
  }

  @ParameterizedTest
  @CsvSource({"leases, '', nodes", "default, coordination.k8s.io, leases"})
  void aTaskWaitsForBothStores(String to, String group, String resource) {
    ControlPlaneTask task = task(to, group, resource);
    assertThat(ReshardRules.holdUp(task, look(STORES.formatted(""), "True"))).isEmpty();
    assertThat(ReshardRules.holdUp(task, look(STORES.formatted(""), "False")))
        .hasValueSatisfying(
            words ->
                assertThat(words)
                    .contains("The store leases is not ready")
                    .contains("kubectl describe shard demo-leases"));
  }

  private static ControlPlaneTask task(String to, String group, String resource) {
    return Tasks.task(
        "t",
        0,
        "reshard: {toStore: %s, resources: [{group: '%s', resource: %s}]}"
            .formatted(to, group, resource));
  }

  /** All stores as the spec makes them; the one for leases is ready or not. */
  private static Look look(String spec, String ready) {
    ControlPlane controlPlane = Tasks.controlPlane(spec.strip(), "{}");
    Map<String, StoreShard> shards = new TreeMap<>();
    StoragePlan.of(controlPlane)
        .stores()
        .forEach(
            store ->
                shards.put(
                    store.name(),
                    Serialization.unmarshal(
                        """
                        apiVersion: exaplane.io/v1alpha1
                        kind: StoreShard
                        metadata: {name: demo-%s, namespace: ns}
                        spec: {engine: %s, criticality: %s, storage: {type: %s}, tls: {secretRef: {name: t}}}
                        status: {conditions: [{type: Ready, status: "%s"}]}
                        """
                            .formatted(
                                store.name(),
                                store.effectiveEngine(),
                                store.effectiveCriticality(),
                                store.storage() == null
                                    ? "PersistentVolume"
                                    : store.storage().type(),
                                store.name().equals("leases") ? ready : "True"),
                        StoreShard.class)));
    return new Look(
        controlPlane,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        shards,
        Map.of());
  }
}
