// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes as a cluster has them whose controllers run, and what drained pods leave behind. */
class NodeStateTest extends Simulating {
  private static final String NODES =
      """
      kind: List
      items:
        - {kind: Node, metadata: {name: n1, labels: {z: a}}, spec: %s, status: {allocatable: {cpu: 8, pods: 9}, conditions: %s}}
        - {kind: Node, metadata: {name: n2, labels: {z: b}}, status: {allocatable: {cpu: 8, pods: 9}}}
        - {kind: Pod, metadata: {name: old, namespace: a, labels: {app: x}}, spec: {nodeName: n2, containers: [{name: c}]}}
      """;

  /** With nodeTaintsPolicy: Honor a zone whose nodes are tainted is none: the skew is 0, not 1. */
  private static final String SPREAD =
      "  - {kind: Pod, metadata: {name: p, namespace: a, labels: {app: x}}, spec: {priority: 0,"
          + " topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable:"
          + " DoNotSchedule, nodeTaintsPolicy: Honor, labelSelector: {matchLabels: {app: x}}}],"
          + " containers: [{name: c}]}}\n";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                                          | []                                        |"
            + " ''     | false",
        "{unschedulable: true}                       | []                                        |"
            + " ''     | true",
        "{}                                          | []                                        |"
            + " cordon | true",
        "{}                                          | []                                        |"
            + " drain  | true",
        "{}                                          | [{type: Ready, status: 'True'}]           |"
            + " ''     | false",
        "{}                                          | [{type: Ready, status: 'False'}]          |"
            + " ''     | true",
        "{}                                          | [{type: Ready, status: Unknown}]          |"
            + " ''     | true",
        "{}                                          | [{type: MemoryPressure, status: 'True'}]  |"
            + " ''     | true",
        "{}                                          | [{type: MemoryPressure, status: 'False'}] |"
            + " ''     | false",
        "{}                                          | [{type: DiskPressure, status: 'True'}]    |"
            + " ''     | true",
        "{}                                          | [{type: PIDPressure, status: 'True'}]     |"
            + " ''     | true",
        "{}                                          | [{type: NetworkUnavailable, status: 'True'}]"
            + " | ''  | true",
        "{}                                          | [{type: Odd, status: 'True'}]             |"
            + " ''     | false",
        "{taints: [{key: node.kubernetes.io/unschedulable, effect: NoSchedule}]}        | [] | '' |"
            + " false",
        "{unschedulable: true, taints: [{key: node.kubernetes.io/unschedulable, effect:"
            + " NoSchedule}]} | [] | '' | true",
        "{taints: [{key: node.kubernetes.io/memory-pressure, effect: NoSchedule}]}      | [] | '' |"
            + " true",
        "{taints: [{key: node.kubernetes.io/memory-pressure, effect: NoSchedule}]}      | [{type:"
            + " MemoryPressure, status: 'False'}] | '' | false",
        "{taints: [{key: node.kubernetes.io/not-ready, effect: NoExecute}]}             | [] | '' |"
            + " true",
        "{taints: [{key: node.kubernetes.io/not-ready, effect: NoExecute}]}             | [{type:"
            + " Ready, status: 'True'}] | '' | false",
        "{taints: [{key: node.kubernetes.io/unreachable, effect: NoSchedule}]}          | [{type:"
            + " Ready, status: 'True'}] | '' | false",
        "{taints: [{key: node.kubernetes.io/out-of-service, value: nodeshutdown, effect:"
            + " NoExecute}]} | [{type: Ready, status: 'True'}] | '' | true",
        "{taints: [{key: node.cloudprovider.kubernetes.io/uninitialized, value: 'true', effect:"
            + " NoSchedule}]} | [{type: Ready, status: 'True'}] | '' | true",
        "{taints: [{key: virtual-kubelet.io/provider, value: azure, effect: NoSchedule}]} | [{type:"
            + " Ready, status: 'True'}] | '' | true",
      })
  void aNodeHasTheTaintsOfItsState(String spec, String conditions, String option, boolean tainted)
      throws Exception {
    String[] options = option.isEmpty() ? new String[0] : new String[] {"--" + option + "=n1"};
    assertThat(run(NODES.formatted(spec, conditions) + SPREAD, options)).isZero();
    // Where n1 counts, the pod has to go there; where it does not, only n2 is left.
    assertThat(line(lines(), "a/p").get("node").asText()).isEqualTo(tainted ? "n2" : "n1");
  }

  @Test
  void whatARunningClusterWouldChangeIsSaid() throws Exception {
    String stale = "{taints: [{key: node.kubernetes.io/unschedulable, effect: NoSchedule}]}";
    String cluster =
        NODES
            .formatted(stale, "[]")
            .replace("name: n2,", "name: n2, deletionTimestamp: '2026-01-01T00:00:00Z',");
    assertThat(run(cluster)).isZero();
    assertThat(err.toString())
        .contains("warning: spec.taints: 1 nodes have a taint of a condition")
        .contains("removes the taint, and so does the simulator: n1")
        .contains("warning: metadata.deletionTimestamp: 1 nodes are being deleted")
        .contains("use --cordon: n2");
  }

  /** As an API server fills in. */
  @Test
  void whatIsAllocatableIsTheCapacityIfNobodySaysMore() throws Exception {
    String node = "{kind: Node, metadata: {name: n1}, status: {capacity: {cpu: 2, pods: 9}}}";
    String pod =
        "{kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, resources: {requests: {cpu:"
            + " %s}}}]}}";
    assertThat(run(node + "\n---\n" + pod.formatted(2))).isZero();
    assertThat(line(lines(), "default/p").get("node").asText()).isEqualTo("n1");
    out.getBuffer().setLength(0);
    assertThat(run(node + "\n---\n" + pod.formatted(3))).isZero();
    assertThat(line(lines(), "default/p").get("node").isNull()).isTrue();
  }

  @Test
  void whatARealDrainWouldRefuseIsSaid() throws Exception {
    String objects =
        """
          - {kind: Pod, metadata: {name: w, namespace: a, labels: {app: w}, ownerReferences: [{kind: Job, name: j}]}, spec: {nodeName: n1, volumes: [{name: d, emptyDir: {}}], containers: [{name: c}]}}
          - {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b1, namespace: a}, spec: {selector: {matchLabels: {app: w}}}, status: {disruptionsAllowed: 1}}
          - {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b2, namespace: a}, spec: {selector: {matchLabels: {app: w}}}, status: {disruptionsAllowed: 1}}
        """;
    assertThat(run(NODES.formatted("{}", "[]") + objects, "--drain=n1")).isZero();
    assertThat(err.toString())
        .contains("1 pods have emptyDir volumes")
        .contains("needs --delete-emptydir-data: a/w")
        .contains("pod a/w has more than one PodDisruptionBudget: ");
  }

  @Test
  void whoToleratesTheTaintGoesThereAlsoWithoutThePluginForIt() throws Exception {
    Path config =
        Files.writeString(
            folder.resolve("config.yaml"),
            "{apiVersion: kubescheduler.config.k8s.io/v1, kind: KubeSchedulerConfiguration,"
                + " profiles: [{plugins: {multiPoint: {disabled: [{name: NodeUnschedulable}]}}}]}");
    String pods =
        "  - {kind: Pod, metadata: {name: p, namespace: a}, spec: {nodeSelector: {z: a},"
            + " containers: [{name: c}]}}\n"
            + "  - {kind: Pod, metadata: {name: q, namespace: a}, spec: {nodeSelector: {z: a},"
            + " tolerations: [{key: node.kubernetes.io/unschedulable, operator: Exists}],"
            + " containers: [{name: c}]}}\n";
    String cluster = NODES.formatted("{unschedulable: true}", "[]") + pods;
    assertThat(run(cluster, "--config", config.toString())).isZero();
    assertThat(line(lines(), "a/p").at("/infeasible/n1/plugin").asText())
        .isEqualTo("TaintToleration");
    assertThat(line(lines(), "a/q").get("node").asText()).isEqualTo("n1");
    out.getBuffer().setLength(0);
    assertThat(run(cluster)).isZero();
    assertThat(line(lines(), "a/p").at("/infeasible/n1/plugin").asText())
        .isEqualTo("NodeUnschedulable");
    assertThat(line(lines(), "a/q").get("node").asText()).isEqualTo("n1");
    assertThat(run(cluster, "--cordon=n9")).isEqualTo(Exactl.BAD_INPUT);
    assertThat(err.toString()).contains("cordon: 'n9' must be a node in the files");
  }

  @Test
  void whatIsTaintedAlreadyStaysAsItIs() {
    Map<String, Object> node =
        Map.of(
            "kind",
            "Node",
            "spec",
            Map.of(
                "unschedulable",
                true,
                "taints",
                List.of(
                    Map.of(
                        "key",
                        "node.kubernetes.io/unschedulable",
                        "effect",
                        "NoSchedule",
                        "timeAdded",
                        "2026-01-01T00:00:00Z"))));
    assertThat(NodeState.tainted(node)).isSameAs(node);
  }

  /** A volume that is on n1 alone keeps the pod there only if the claim outlives it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], storageClassName:"
            + " fast, resources: {requests: {storage: 1Gi}}}}} | w-d  | n2",
        "ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], resources:"
            + " {requests: {storage: 1Gi}}}}}                         | w-d  | n2",
        "persistentVolumeClaim: {claimName: data}                                                  "
            + "                                              | data | null",
      })
  void ephemeralClaimsDoNotSurviveADrain(String volume, String claim, String node)
      throws Exception {
    String objects =
        """
          - {kind: StorageClass, metadata: {name: fast}, provisioner: csi.x, volumeBindingMode: WaitForFirstConsumer}
          - {kind: CSIDriver, metadata: {name: csi.x}, spec: {}}
          - {kind: CSINode, metadata: {name: n1}, spec: {drivers: []}}
          - kind: PersistentVolumeClaim
            metadata: {name: %s, namespace: a, uid: c, annotations: {pv.kubernetes.io/bind-completed: "yes"}, ownerReferences: [{kind: Pod, name: w, uid: u, controller: true}]}
            spec: {storageClassName: fast, volumeName: v, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
            status: {phase: Bound}
          - kind: PersistentVolume
            metadata: {name: v}
            spec:
              storageClassName: fast
              accessModes: [ReadWriteOnce]
              capacity: {storage: 1Gi}
              csi: {driver: csi.x, volumeHandle: h}
              claimRef: {namespace: a, name: %s, uid: c}
              nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: z, operator: In, values: [a]}]}]}}
            status: {phase: Bound}
          - {kind: Pod, metadata: {name: w, namespace: a, uid: u, ownerReferences: [{kind: Job, name: j}]}, spec: {nodeName: n1, volumes: [{name: d, %s}], containers: [{name: c}]}, status: {phase: Running}}
          - {kind: Service, metadata: {name: s, namespace: a}, spec: {}}
        """
            .formatted(claim, claim, volume);
    String cluster = NODES.formatted("{}", "[]") + objects.indent(0);
    assertThat(run(cluster, "--drain=n1")).as(err.toString()).isZero();
    assertThat(line(lines(), "a/w").get("node").asText()).as(out.toString()).isEqualTo(node);
  }

  /** Devices of a pod that is gone already are free, and those of one that comes again, too. */
  @ParameterizedTest
  @CsvSource({"Running, n2", "Succeeded, n2"})
  void devicesFromTemplatesAreGivenBack(String phase, String node) throws Exception {
    String objects =
        """
          - {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}, spec: {}}
          - {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s}, spec: {driver: d, nodeName: n2, pool: {name: n2, generation: 1, resourceSliceCount: 1}, devices: [{name: g}]}}
          - apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: w-gpu, namespace: a, uid: c, ownerReferences: [{kind: Pod, name: w, uid: u, controller: true}]}
            spec: {devices: {requests: [{name: q, exactly: {deviceClassName: gpu}}]}}
            status:
              reservedFor: [{resource: pods, name: w, uid: u}]
              allocation: {devices: {results: [{request: q, driver: d, pool: n2, device: g}]}}
          - apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: mine, namespace: a, uid: m}
            spec: {devices: {requests: [{name: q, exactly: {deviceClassName: gpu}}]}}
          - {kind: Pod, metadata: {name: w, namespace: a, uid: u, ownerReferences: [{kind: Job, name: j}]}, spec: {nodeName: n1, resourceClaims: [{name: gpu, resourceClaimTemplateName: t}], containers: [{name: c}]}, status: {phase: %s, resourceClaimStatuses: [{name: gpu, resourceClaimName: w-gpu}]}}
          - {kind: Pod, metadata: {name: p, namespace: a}, spec: {priority: 1, resourceClaims: [{name: gpu, resourceClaimName: mine}], containers: [{name: c}]}}
        """
            .formatted(phase);
    assertThat(run(NODES.formatted("{}", "[]") + objects, "--drain=n1"))
        .as(err.toString())
        .isZero();
    assertThat(line(lines(), "a/p").get("node").asText()).as(out.toString()).isEqualTo(node);
  }
}
