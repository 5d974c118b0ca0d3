// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Gangs of the newest minor, switched on by a ControlPlane's and a SchedulerPool's fields; a real
 * kubelet runs them.
 */
@Order(150)
@Tag("long")
class GangE2E {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final String HOST = "wgang";

  @TempDir private Path folder;

  @Test
  void aGangRunsWhenAllOfItFits() throws Exception {
    try (Scratch scratch =
        new Scratch(
            "gangs",
            Bed.VERSION,
            Scratch.withGroups("v1beta1")
                + "  scheduling: {mode: Pool, poolRef: {name: gangs}}\n")) {
      Bed.kubectl("apply", "--filename=" + pool(scratch));
      scratch.awaitSettled(PATIENCE);
      Bed.kubectl(
          "--namespace=" + scratch.namespace,
          "wait",
          "spool/gangs",
          "--for=condition=Available",
          "--timeout=300s");
      Bed.exa("host", "add", HOST, scratch.name + "." + scratch.namespace);
      try {
        runs(scratch);
      } finally {
        Bed.exa("host", "remove", HOST);
      }
    }
  }

  private Path pool(Scratch scratch) throws Exception {
    return Files.writeString(
        folder.resolve("pool.yaml"),
        """
        apiVersion: exaplane.io/v1alpha1
        kind: SchedulerPool
        metadata: {name: gangs, namespace: %s}
        spec:
          controlPlaneRef: {name: gangs}
          roots: {replicas: 1}
          profile: {plugins: {multiPoint: {enabled: [{name: GangScheduling}]}}}
        """
            .formatted(scratch.namespace));
  }

  private void runs(Scratch scratch) throws Exception {
    scratch.hosted("apply", "--filename=" + gang("large", 3, "900m"));
    Bed.await(
        "all of a gang that does not fit are told so",
        PATIENCE,
        () ->
            scratch
                    .hosted(
                        "get",
                        "pods",
                        "--output=jsonpath={.items[*].status.conditions[?(@.type==\"PodScheduled\")].reason}")
                    .split("Unschedulable", -1)
                    .length
                == 4,
        () -> scratch.hosted("describe", "pods"));
    scratch.hosted("apply", "--filename=" + gang("small", 3, "200m"));
    scratch.hosted(
        "wait", "--for=condition=Ready", "pod", "--selector=gang=small", "--timeout=300s");
    assertThat(
            scratch.hosted(
                "get", "pods", "--selector=gang=large", "--output=jsonpath={..spec.nodeName}"))
        .isBlank();
    scratch.hosted("delete", "pods", "--selector=gang=small", "--now");
    scratch.hosted("delete", "pods", "--selector=gang=large", "--now");
  }

  private Path gang(String name, int members, String cpu) throws Exception {
    StringBuilder text =
        new StringBuilder(
            """
            apiVersion: scheduling.k8s.io/v1beta1
            kind: PodGroup
            metadata: {name: %s, namespace: default}
            spec: {schedulingPolicy: {gang: {minCount: %d}}}
            """
                .formatted(name, members));
    for (int i = 0; i < members; i++) {
      text.append(
          """
          ---
          apiVersion: v1
          kind: Pod
          metadata: {name: %1$s-%2$d, namespace: default, labels: {gang: %1$s}}
          spec:
            schedulingGroup: {podGroupName: %1$s}
            containers:
            - name: c
              image: exaplane/busybox:1
              command: [sleep, "1000000"]
              resources: {requests: {cpu: %3$s}}
          """
              .formatted(name, i, cpu));
    }
    return Files.writeString(folder.resolve(name + ".yaml"), text);
  }
}
