// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.dependent;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.config.Images;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.render.Components;
import io.exaplane.operator.controlplane.render.Inputs;
import io.exaplane.operator.pod.ContainerLimits;
import io.exaplane.operator.schedulerpool.Pools;
import io.exaplane.operator.schedulerpool.render.PoolFallback;
import io.exaplane.operator.schedulerpool.render.PoolSets;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Line 35: a namespace with a ResourceQuota or a LimitRange takes every pod that the operator
 * makes, whatever the user says of some of the amounts.
 */
class EveryContainerTest {
  private static final Images IMAGES = new Images(new Fixtures.Config("operator:1"), null);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "requests: {cpu: 3}",
        "requests: {memory: 3Gi}",
        "limits: {memory: 3Gi}",
        "limits: {cpu: 1500m}",
        "requests: {cpu: 1, memory: 1Gi}, limits: {memory: 2Gi}",
        "requests: {cpu: 250m, memory: 1G}",
        "requests: {ephemeral-storage: 1Gi}, limits: {ephemeral-storage: 2Gi}"
      })
  void hasWhatPoliciesAskFor(String resources) {
    Map<String, PodSpec> pods = pods(resources);
    assertThat(pods).hasSize(12);
    pods.forEach(
        (name, pod) ->
            containers(pod)
                .forEach(
                    container -> {
                      String who =
                          "%s of %s with {%s}".formatted(container.getName(), name, resources);
                      List<String> amounts = new ArrayList<>(List.of("cpu", "memory"));
                      if (resources.contains("ephemeral")) {
                        amounts.add("ephemeral-storage");
                      }
                      for (String amount : amounts) {
                        Quantity limit = container.getResources().getLimits().get(amount);
                        assertThat(limit).as("%s of %s", amount, who).isNotNull();
                        // A limit alone is a request, too.
                        Quantity request =
                            container.getResources().getRequests().getOrDefault(amount, limit);
                        assertThat(request.getNumericalAmount())
                            .as("%s of %s", amount, who)
                            .isPositive()
                            .isLessThanOrEqualTo(limit.getNumericalAmount());
                      }
                    }));
  }

  /** What sizing finds on a container that runs is what it chose, without what was added. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          requests: {cpu: 50m, memory: 128Mi}                                    | 2     | 16Gi
          requests: {cpu: 50m, memory: 200Mi}                                    | 2     | 4Gi
          requests: {cpu: 4, memory: 7Gi}                                        | 16    | 28Gi
          requests: {cpu: 510m, memory: 3000Mi}                                  | 2040m | 12000Mi
          requests: {cpu: 100m, memory: 3Gi}, limits: {memory: 3Gi}              | 2     | 3Gi
          requests: {cpu: 1, memory: 1Gi}, limits: {cpu: 1, memory: 1Gi}         | 1     | 1Gi
          """)
  void whatIsAddedCanBeToldFromWhatWasChosen(String chosen, String cores, String memory) {
    ResourceRequirements own = resources(chosen);
    ResourceRequirements all = ContainerLimits.complete(own);
    assertThat(all.getLimits().get("cpu")).hasToString(cores);
    assertThat(all.getLimits().get("memory")).hasToString(memory);
    assertThat(ContainerLimits.chosen(all)).isEqualTo(own);
    assertThat(ContainerLimits.complete(all)).as("twice is once").isEqualTo(all);
  }

  /** Every pod that the operator has made, with these resources in the spec, by what it is. */
  static Map<String, PodSpec> pods(String resources) {
    Map<String, PodSpec> pods = new LinkedHashMap<>();
    deployments(resources)
        .forEach((name, made) -> pods.put(name, made.getSpec().getTemplate().getSpec()));
    for (String criticality : List.of("Critical", "BestEffort")) {
      StoreShard memory = shard("Memory", criticality, resources);
      pods.put(
          "Memory " + criticality,
          pod(MemoryStatefulSet.render(memory, IMAGES, Optional.empty(), true)));
      pods.put(
          "Etcd " + criticality,
          pod(
              EtcdStatefulSet.render(
                  shard("Etcd", criticality, resources), IMAGES, Optional.empty(), true)));
    }
    for (String shards : List.of("0", "4")) {
      SchedulerPool pool =
          Pools.pool(
              "shards: {replicas: %s, resources: {%s}}, roots: {resources: {%s}}, relays: {fanOut: 2, resources: {%s}}"
                  .formatted(shards, resources, resources, resources));
      var inputs = Pools.inputs(pool, "s:1", true);
      PoolSets.of(inputs, Pools.templates(inputs), Map.of())
          .forEach(set -> pods.put(set.getMetadata().getName() + " " + shards, pod(set)));
      PoolFallback.of(inputs, Pools.templates(inputs))
          .forEach(made -> pods.put("fallback", made.getSpec().getTemplate().getSpec()));
    }
    return pods;
  }

  private static Map<String, Deployment> deployments(String resources) {
    Inputs inputs = inputs(resources);
    return Stream.of(
            Components.apiServer(inputs, Optional.empty()),
            Components.controllerManager(inputs, Optional.empty(), Optional.empty()),
            Components.scheduler(inputs, Optional.empty(), Optional.empty()))
        .collect(Collectors.toMap(made -> made.getMetadata().getName(), made -> made));
  }

  private static Inputs inputs(String resources) {
    return Fixtures.inputs(
        Fixtures.controlPlane(
            "{version: 1.36.3, maxNodes: 100, apiServer: {resources: {%s}}, controllerManager: {resources: {%s}}, scheduler: {resources: {%s}}}"
                .formatted(resources, resources, resources)),
        "d");
  }

  private static StoreShard shard(String engine, String criticality, String resources) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: StoreShard
        metadata: {name: s, namespace: ns, uid: u}
        spec: {engine: %s, criticality: %s, tls: {secretRef: {name: t}}%s}
        """
            .formatted(
                engine, criticality, resources.isEmpty() ? "" : ", resources: {" + resources + "}"),
        StoreShard.class);
  }

  private static ResourceRequirements resources(String text) {
    return Serialization.unmarshal("name: c\nresources: {" + text + "}", Container.class)
        .getResources();
  }

  private static PodSpec pod(StatefulSet set) {
    return set.getSpec().getTemplate().getSpec();
  }

  private static List<Container> containers(PodSpec pod) {
    return Stream.concat(pod.getInitContainers().stream(), pod.getContainers().stream()).toList();
  }
}
