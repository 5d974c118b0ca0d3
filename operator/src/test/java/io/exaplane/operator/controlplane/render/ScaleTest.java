// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.config.Images;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.render.Inputs.CertificateEpochs;
import io.exaplane.operator.controlplane.sizing.Sized;
import io.exaplane.operator.controlplane.sizing.TemplateReplicas;
import io.exaplane.operator.pod.ContainerLimits;
import io.exaplane.operator.pod.NodeCapacity;
import io.exaplane.tuning.version.Component;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Line 39: another number of kube-apiservers replaces none of them, unless it has to. */
class ScaleTest {

  /** From one number to the next ones; "!" where the pods have to be others. */
  @ParameterizedTest
  @CsvSource({
    "10,     2 3 5 2 3",
    "10,     3 2 4",
    "10,     16 2",
    "1000,   2 3 16 2",
    "5000,   2 3 5 3 2",
    "5000,   3 5 3",
    "100000, 3 5 16 3",
    "100000, 5 !3 5",
    // A single one sends its clients nowhere else.
    "10,     1 !2 3 !1",
    "10,     2 !1 !3 2"
  })
  void podsStayWhereTheyCan(int maxNodes, String numbers) {
    Optional<Deployment> existing = Optional.empty();
    for (String step : numbers.split(" ")) {
      int replicas = Integer.parseInt(step.replace("!", ""));
      Deployment next = render(maxNodes, replicas, existing);
      assertThat(next.getSpec().getReplicas()).isEqualTo(replicas);
      if (existing.isPresent()) {
        var before = existing.get().getSpec().getTemplate();
        if (step.startsWith("!")) {
          assertThat(next.getSpec().getTemplate())
              .as("%s of %s", step, numbers)
              .isNotEqualTo(before);
        } else {
          assertThat(next.getSpec().getTemplate()).as("%s of %s", step, numbers).isEqualTo(before);
        }
      }
      existing = Optional.of(next);
    }
  }

  @Test
  void theFollowersStayToo() {
    assertThat(followers(3)).isEqualTo(followers(2)).isEqualTo(followers(5));
  }

  /** A new operator alone replaces nothing. */
  @Test
  void anOlderOperatorsPodsWereMadeForAsManyAsThereAre() {
    Deployment made = render(100_000, 5, Optional.empty());
    Deployment old = new DeploymentBuilder(made).build();
    old.getMetadata().getAnnotations().remove(TemplateReplicas.ANNOTATION);
    assertThat(TemplateReplicas.applied(old)).contains(5);
    assertThat(render(100_000, 5, Optional.of(old)).getSpec().getTemplate())
        .isEqualTo(made.getSpec().getTemplate());
    old.getMetadata().getAnnotations().put(TemplateReplicas.ANNOTATION, "many");
    assertThat(TemplateReplicas.applied(old)).contains(5);
  }

  private static List<Object> followers(int replicas) {
    Inputs inputs = inputs(10, replicas, Optional.empty());
    return List.of(
        Components.controllerManager(inputs, Optional.empty(), Optional.empty()).getSpec(),
        Components.scheduler(inputs, Optional.empty(), Optional.empty()).getSpec());
  }

  private static Deployment render(int maxNodes, int replicas, Optional<Deployment> existing) {
    return Components.apiServer(inputs(maxNodes, replicas, existing), existing);
  }

  private static Inputs inputs(int maxNodes, int replicas, Optional<Deployment> existing) {
    ControlPlane controlPlane =
        Fixtures.controlPlane(
            "{version: 1.36.3, maxNodes: %d, apiServer: {replicas: %d}, storage: {stores: [{name: default}, {name: events, criticality: BestEffort}]}}"
                .formatted(maxNodes, replicas));
    Map<Component, Container> containers =
        existing
            .map(d -> d.getSpec().getTemplate().getSpec().getContainers().getFirst())
            .map(
                c ->
                    Map.of(
                        Component.KUBE_APISERVER,
                        new ContainerBuilder(c)
                            .withResources(ContainerLimits.chosen(c.getResources()))
                            .build()))
            .orElse(Map.of());
    Sized sized =
        Sized.of(
            controlPlane,
            true,
            false,
            new Sized.Before(
                List.of(),
                containers,
                Optional.empty(),
                Optional.empty(),
                existing.flatMap(TemplateReplicas::applied),
                () -> List.of(new NodeCapacity(256, 4L << 40)),
                Optional::empty,
                List.of()),
            Instant.EPOCH);
    return new Inputs(
        sized,
        new Images(new Fixtures.Config("operator:1"), null),
        "fd00::a",
        6443,
        List.of(
            new Inputs.Store("default", true, "https://[fd00::d]:2379", "d"),
            new Inputs.Store("events", false, "https://[fd00::e]:2379", "e")),
        CertificateEpochs.NONE);
  }
}
