// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;
import java.util.Random;

/** Nodes, and pods that want all kinds of things. */
final class PodMix {
  static final String ZONE = "topology.kubernetes.io/zone";
  private static final String HOSTNAME = "kubernetes.io/hostname";
  private static final int KINDS = 8;

  private PodMix() {}

  /** One of three zones; every fifth is tainted, every fourth has a disk. */
  static Node node(int i, String cpu) {
    String name = "node-%04d".formatted(i);
    NodeBuilder node =
        new NodeBuilder()
            .withNewMetadata()
            .withName(name)
            .addToLabels(Map.of(HOSTNAME, name, ZONE, "z" + i % 3))
            .addToLabels(i % 4 == 0 ? Map.of("disk", "ssd") : Map.of())
            .endMetadata()
            .withNewStatus()
            .addToAllocatable(
                Map.of(
                    "cpu",
                    new Quantity(cpu),
                    "memory",
                    new Quantity("32Gi"),
                    "pods",
                    new Quantity("40")))
            .endStatus()
            .withNewSpec()
            .endSpec();
    if (i % 5 == 0) {
      node.editSpec().addNewTaint("NoSchedule", "dedicated", null, "batch").endSpec();
    }
    return node.build();
  }

  /** A pod that asks for nothing but room. */
  static PodBuilder plain(String name, String cpu) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace("default")
        .endMetadata()
        .withNewSpec()
        .withTerminationGracePeriodSeconds(0L)
        .addNewContainer()
        .withName("c")
        .withImage("i")
        .withNewResources()
        .addToRequests(Map.of("cpu", new Quantity(cpu), "memory", new Quantity("100Mi")))
        .endResources()
        .endContainer()
        .endSpec();
  }

  /** One of any kind that can be placed while there is room. */
  static Pod any(int i, Random random) {
    PodBuilder pod = plain("pod-%05d".formatted(i), (100 + 50 * random.nextInt(4)) + "m");
    switch (random.nextInt(KINDS)) {
      case 0 -> pod.editSpec().addToNodeSelector("disk", "ssd").endSpec();
      case 1 ->
          pod.editSpec()
              .addNewToleration("NoSchedule", "dedicated", "Equal", null, "batch")
              .endSpec();
      case 2 ->
          pod.editMetadata()
              .addToLabels("app", "spread")
              .endMetadata()
              .editSpec()
              .addNewTopologySpreadConstraint()
              .withMaxSkew(1)
              .withTopologyKey(ZONE)
              .withWhenUnsatisfiable("DoNotSchedule")
              .withNewLabelSelector()
              .addToMatchLabels("app", "spread")
              .endLabelSelector()
              .endTopologySpreadConstraint()
              .endSpec();
      case 3 -> {
        String app = "apart-" + i / 40;
        pod.editMetadata()
            .addToLabels("app", app)
            .endMetadata()
            .editSpec()
            .withNewAffinity()
            .withNewPodAntiAffinity()
            .addNewRequiredDuringSchedulingIgnoredDuringExecution()
            .withTopologyKey(HOSTNAME)
            .withNewLabelSelector()
            .addToMatchLabels("app", app)
            .endLabelSelector()
            .endRequiredDuringSchedulingIgnoredDuringExecution()
            .endPodAntiAffinity()
            .endAffinity()
            .endSpec();
      }
      case 4 ->
          pod.editSpec()
              .editFirstContainer()
              .addNewPort()
              .withContainerPort(8000 + i / 40)
              .withHostPort(8000 + i / 40)
              .endPort()
              .endContainer()
              .endSpec();
      default -> {}
    }
    return pod.build();
  }
}
