// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A pod for each thing that a verdict can depend on: without it the verdict says what was assumed,
 * with it the verdict says nothing.
 */
class AssumptionsTest extends Simulating {
  private static final String NODE =
      "{kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: 4, pods: 9}}};"
          + "{kind: Service, metadata: {name: kubernetes, namespace: default}, spec: {}}";
  private static final String PLAIN =
      "{kind: Pod, metadata: {name: plain, labels: {app: a}}, spec: {priority: 0, containers:"
          + " [{name: c}]}}";
  private static final String STORAGE =
      "{kind: StorageClass, metadata: {name: fast}, provisioner: csi.x, volumeBindingMode:"
          + " WaitForFirstConsumer};{kind: CSIDriver, metadata: {name: csi.x}, spec:"
          + " {storageCapacity: true}};{kind: CSIStorageCapacity, metadata: {name: c},"
          + " storageClassName: fast, nodeTopology: {}, capacity: 9Gi};{kind: CSINode, metadata:"
          + " {name: n1}, spec: {drivers: [{name: csi.x, nodeID: n1, topologyKeys: []}]}}";
  private static final String LIMITED =
      STORAGE.replace("topologyKeys: []", "topologyKeys: [], allocatable: {count: 9}");
  private static final String CLAIM =
      "{kind: PersistentVolumeClaim, metadata: {name: data, namespace: default}, spec:"
          + " {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}, %s}, status:"
          + " {phase: Pending}}";

  /** Objects are parted by semicolons; POD(...) is a pending pod with that spec. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // what refers | what is missing | what the files need to have
        "POD(volumes: [{name: d, persistentVolumeClaim: {claimName: data}}]) |"
            + " PersistentVolumeClaim default/data | CLAIM(storageClassName: '', volumeName:"
            + " v);{kind: PersistentVolume, metadata: {name: v}, spec: {capacity: {storage: 1Gi},"
            + " hostPath: {path: /x}}}",
        "POD(volumes: [{name: d, ephemeral: {}}]) | PersistentVolumeClaim default/p-d | {kind:"
            + " PersistentVolumeClaim, metadata: {name: p-d, namespace: default}, spec:"
            + " {storageClassName: '', volumeName: v}};{kind: PersistentVolume, metadata: {name:"
            + " v}, spec: {hostPath: {path: /x}}}",
        "POD(volumes: [{name: d, persistentVolumeClaim: {claimName: data}}]);CLAIM(volumeMode:"
            + " Filesystem) | StorageClass marked as the default |",
        "POD(volumes: [{name: d, persistentVolumeClaim: {claimName: data}}]);CLAIM(volumeMode:"
            + " Filesystem);{kind: StorageClass, metadata: {name: d, annotations:"
            + " {storageclass.kubernetes.io/is-default-class: 'true'}}, provisioner: x} |"
            + " storageClassName of default/data |",
        "POD(volumes: [{name: d, persistentVolumeClaim: {claimName:"
            + " data}}]);CLAIM(storageClassName: fast) | StorageClass fast | STORAGE",
        "POD(volumes: [{name: d, persistentVolumeClaim: {claimName:"
            + " data}}]);CLAIM(storageClassName: fast);{kind: StorageClass, metadata: {name: fast},"
            + " provisioner: csi.x, volumeBindingMode: WaitForFirstConsumer} | CSIDriver csi.x |"
            + " STORAGE",
        "POD(volumes: [{name: d, persistentVolumeClaim: {claimName:"
            + " data}}]);CLAIM(storageClassName: fast);{kind: StorageClass, metadata: {name: fast},"
            + " provisioner: csi.x, volumeBindingMode: WaitForFirstConsumer};{kind: CSIDriver,"
            + " metadata: {name: csi.x}, spec: {storageCapacity: true}} | CSIStorageCapacity |"
            + " STORAGE",
        "POD(volumes: [{name: d, persistentVolumeClaim: {claimName:"
            + " data}}]);CLAIM(storageClassName: local);{kind: StorageClass, metadata: {name:"
            + " local}, provisioner: kubernetes.io/no-provisioner, volumeBindingMode:"
            + " WaitForFirstConsumer} | PersistentVolume | {kind: PersistentVolume, metadata:"
            + " {name: v}, spec: {storageClassName: local, local: {path: /x}}}",
        "POD(volumes: [{name: d, persistentVolumeClaim: {claimName:"
            + " data}}]);CLAIM(storageClassName: '', volumeName: v) | PersistentVolume v | {kind:"
            + " PersistentVolume, metadata: {name: v}, spec: {hostPath: {path: /x}}}",
        "POD(volumes: [{name: d, persistentVolumeClaim: {claimName:"
            + " data}}]);CLAIM(storageClassName: '', volumeName: v);{kind: PersistentVolume,"
            + " metadata: {name: v}, spec: {csi: {driver: csi.x, volumeHandle: h}}} | CSINode |"
            + " STORAGE",
        "POD(volumes: [{name: d, persistentVolumeClaim: {claimName:"
            + " data}}]);CLAIM(storageClassName: fast);{kind: StorageClass, metadata: {name: fast},"
            + " provisioner: csi.x, volumeBindingMode: Immediate} | |",
        "POD(volumes: [{name: d, persistentVolumeClaim: {claimName:"
            + " data}}]);CLAIM(storageClassName: fast);{kind: StorageClass, metadata: {name: fast},"
            + " provisioner: rancher.io/local-path, volumeBindingMode: WaitForFirstConsumer} |"
            + " CSIDriver rancher.io/local-path | {apiVersion: storage.k8s.io/v1, kind:"
            + " CSIDriverList, items: []}",
        "POD(volumes: [{name: d, persistentVolumeClaim: {claimName:"
            + " data}}]);CLAIM(storageClassName: fast);STORAGE;{kind: Node, metadata: {name: n2},"
            + " status: {allocatable: {cpu: 1, pods: 9}}} | CSINode n2 | {kind: CSINode, metadata:"
            + " {name: n2}}",
        "POD(volumes: [{name: d, persistentVolumeClaim: {claimName:"
            + " data}}]);CLAIM(storageClassName: fast);STORAGE;{kind: Node, metadata: {name: n2,"
            + " labels: {type: virtual-kubelet}}, status: {allocatable: {cpu: 1, pods: 9}}} | |",
        "POD(volumes: [{name: d, persistentVolumeClaim: {claimName:"
            + " data}}]);CLAIM(storageClassName: fast);LIMITED;{kind: Pod, metadata: {name: web},"
            + " spec: {nodeName: n1, volumes: [{name: d, persistentVolumeClaim: {claimName: x}}]}}"
            + " | VolumeAttachment | {kind: VolumeAttachment, apiVersion: storage.k8s.io/v1,"
            + " metadata: {name: a}, spec: {attacher: csi.x, nodeName: n1, source:"
            + " {persistentVolumeName: v}}}",
        "POD(runtimeClassName: gvisor) | RuntimeClass gvisor |",
        "POD(runtimeClassName: gvisor, overhead: {cpu: 1}) | |",
        "POD(runtimeClassName: nvidia);{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata:"
            + " {name: nvidia}, handler: nvidia} | |",
        "POD(runtimeClassName: kata);{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata:"
            + " {name: kata}, handler: kata, overhead: {podFixed: {cpu: 1}}} | RuntimeClass kata |",
        "POD(priorityClassName: high) | PriorityClass high |",
        "POD(containers: [{name: c, resources: {limits: {cpu: 1}}}]) | resources.requests |",
        "POD(hostNetwork: true, containers: [{name: c, ports: [{containerPort: 80}]}]) |"
            + " ports.hostPort |",
        "POD(hostNetwork: true, containers: [{name: c, ports: [{containerPort: 80, hostPort:"
            + " 80}]}]) | |",
        "POD(containers: [{name: c, ports: [{containerPort: 8080, hostPort: 80}]}]);{kind: Pod,"
            + " metadata: {name: web}, spec: {nodeName: n1, hostNetwork: true, containers: [{name:"
            + " c, ports: [{containerPort: 80}]}]}} | Pod with hostNetwork |",
        "POD(affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
            + " [{topologyKey: z, labelSelector: {matchLabels: {app: a}}, matchLabelKeys:"
            + " [hash]}]}}) | matchLabelKeys |",
        "POD(affinity: {podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1,"
            + " podAffinityTerm: {topologyKey: z, labelSelector: {matchLabels: {app: a}},"
            + " mismatchLabelKeys: [hash]}}]}}) | matchLabelKeys |",
        "POD(affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
            + " [{topologyKey: z, labelSelector: {matchExpressions: [{key: hash, operator: In,"
            + " values: [h]}]}, matchLabelKeys: [hash]}]}}) | |",
        "POD(topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable:"
            + " DoNotSchedule, labelSelector: {matchLabels: {app: a}}, matchLabelKeys: [hash]}]) |"
            + " |",
        "POD(affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
            + " [{topologyKey: z, labelSelector: {}, namespaceSelector: {matchLabels: {t: a}}}]}})"
            + " | Namespace | {kind: Namespace, metadata: {name: default}}",
        "POD(affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
            + " [{topologyKey: z, labelSelector: {}, namespaceSelector: {matchLabels: {t:"
            + " a}}}]}});{kind: Namespace, metadata: {name: default}};{kind: Pod, metadata: {name:"
            + " web, namespace: b}, spec: {nodeName: n1}} | Namespace b | {kind: Namespace,"
            + " metadata: {name: b}}",
        "POD(priority: 0);{kind: Pod, metadata: {name: web}, spec: {nodeName: n1, affinity:"
            + " {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey:"
            + " z, namespaceSelector: {matchLabels: {t: a}}}]}}}} | Namespace default | {kind:"
            + " Namespace, metadata: {name: default}}",
        "POD(resourceClaims: [{name: c, resourceClaimName: gpu}]) | ResourceClaim default/gpu |",
        "POD(resourceClaims: [{name: c, resourceClaimTemplateName: gpu}]) | ResourceClaim default/c"
            + " |",
        "POD(resourceClaims: [{name: c, resourceClaimName: gpu}]);{apiVersion: resource.k8s.io/v1,"
            + " kind: ResourceClaim, metadata: {name: gpu}, spec: {devices: {requests: [{name: r,"
            + " exactly: {deviceClassName: x}}]}}};{apiVersion: resource.k8s.io/v1, kind:"
            + " DeviceClass, metadata: {name: other}, spec: {}} | DeviceClass x | {apiVersion:"
            + " resource.k8s.io/v1, kind: DeviceClass, metadata: {name: x}, spec: {}};{apiVersion:"
            + " resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s}, spec: {driver: d,"
            + " nodeName: n1, pool: {name: n1, generation: 1, resourceSliceCount: 1}, devices:"
            + " [{name: g}]}}",
        "POD(resourceClaims: [{name: c, resourceClaimName: gpu}]);{apiVersion: resource.k8s.io/v1,"
            + " kind: ResourceClaim, metadata: {name: gpu}, spec: {devices: {requests: [{name: r,"
            + " firstAvailable: [{name: a, deviceClassName: x}]}]}}};{apiVersion:"
            + " resource.k8s.io/v1, kind: DeviceClass, metadata: {name: x}, spec: {}} |"
            + " ResourceSlice | {apiVersion: resource.k8s.io/v1, kind: ResourceSliceList, items:"
            + " []}",
        "POD(containers: [{name: c, resources: {requests: {example.org/gpu: 1}}}]) | DeviceClass of"
            + " example.org/gpu | {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata:"
            + " {name: x}, spec: {extendedResourceName: example.org/gpu}}",
        "POD(schedulingGroup: {podGroupName: g}) | PodGroup default/g |",
        "OWNED(ReplicaSet) | ReplicaSet default/o | {apiVersion: apps/v1, kind: ReplicaSet,"
            + " metadata: {name: o}, spec: {selector: {}}};{kind: Service, metadata: {name: s},"
            + " spec: {}}",
        "OWNED(StatefulSet) | StatefulSet default/o | {apiVersion: apps/v1, kind: StatefulSet,"
            + " metadata: {name: o}, spec: {selector: {}}};{kind: Service, metadata: {name: s},"
            + " spec: {}}",
        "POD(priority: 0);{kind: Node, metadata: {name: n2}} | Node n2 |",
        "POD(priority: 0);{kind: Node, metadata: {name: n2}, status: {capacity: {cpu: 1, pods: 9}}}"
            + " | Node n2 |",
        "POD(priority: 0);{kind: Node, metadata: {name: n2}, status: {allocatable: {cpu: 1}}} |"
            + " status.allocatable.pods of Node n2 |",
        "POD(containers: [{name: c, resources: {requests: {memory: 1Gi}}}]) |"
            + " status.allocatable.memory of Node n1 |",
        "POD(nodeSelector: {kubernetes.io/os: linux}) | label kubernetes.io/os of Node n1 |",
        "POD(affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
            + " [{topologyKey: kubernetes.io/hostname, labelSelector: {}}]}}) | label"
            + " kubernetes.io/hostname of Node n1 |",
        "POD(topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname,"
            + " whenUnsatisfiable: DoNotSchedule, labelSelector: {}}]) | label"
            + " kubernetes.io/hostname of Node n1 |",
        "POD(affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
            + " {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/arch, operator:"
            + " Exists}]}]}}}) | label kubernetes.io/arch of Node n1 |",
        "POD(priority: 0);{kind: Node, metadata: {name: n2, uid: u}, status: {nodeInfo:"
            + " {kubeletVersion: v1.36.1}, allocatable: {pods: 9}}} | Pod on the nodes | {kind:"
            + " Pod, metadata: {name: web}, spec: {nodeName: n2}}",
        "POD(priority: 0);{kind: Pod, metadata: {name: web}, spec: {nodeName: n1, containers:"
            + " [{name: c, resources: {limits: {cpu: 1}}}]}} | resources.requests of pods on nodes"
            + " |",
        "POD(priority: 0);{kind: Pod, metadata: {name: web}, spec: {nodeName: n7}, status: {phase:"
            + " Succeeded}} | |",
        "POD(priority: 0);{kind: Pod, metadata: {name: web}, spec: {nodeName: n7}} | Node n7 |"
            + " {kind: Node, metadata: {name: n7}, status: {allocatable: {pods: 1}}}",
        "POD(priorityClassName: '');{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass,"
            + " metadata: {name: usual}, globalDefault: true, value: 5} | PriorityClass usual |",
      })
  void aVerdictSaysWhatItRestsOn(String objects, String missing, String needed) throws Exception {
    boolean complete = missing == null || missing.isBlank();
    assertThat(run(cluster(objects), "--strict")).isEqualTo(complete ? 0 : Exactl.FAILED);
    List<String> assumed = line(lines(), "default/p").findValuesAsText("missing");
    if (complete) {
      assertThat(assumed).isEmpty();
      assertThat(err.toString()).isEmpty();
      return;
    }
    assertThat(assumed).contains(missing.strip());
    assertThat(line(lines(), "default/p").findValuesAsText("get"))
        .allMatch(c -> c.startsWith("kubectl "));
    assertThat(err.toString()).contains("warning: ").contains("error: strict: verdicts on ");
    boolean ofAll =
        Stream.of(
                "Node ",
                "Namespace default",
                "Pod on ",
                "status.allocatable.pods",
                "resources.requests of")
            .anyMatch(missing::startsWith);
    assertThat(line(lines(), "default/plain").has("assumed")).isEqualTo(ofAll);
    out.getBuffer().setLength(0);
    assertThat(run(cluster(objects))).as("without --strict it is a warning").isZero();
    if (needed != null) {
      out.getBuffer().setLength(0);
      run(cluster(objects + ";" + needed));
      assertThat(line(lines(), "default/p").findValuesAsText("missing"))
          .doesNotContain(missing.strip());
    }
  }

  @Test
  void victimsRestOnBudgets() throws Exception {
    String full =
        "{kind: Pod, metadata: {name: low, namespace: default}, spec: {nodeName: n1, priority: -5,"
            + " containers: [{name: c, resources: {requests: {cpu: 4}}}]}};POD(priority: 7,"
            + " containers: [{name: c, resources: {requests: {cpu: 4}}}])";
    run(cluster(full));
    JsonNode pod = line(lines(), "default/p");
    assertThat(pod.get("victims")).hasSize(1);
    assertThat(pod.findValuesAsText("missing")).containsExactly("PodDisruptionBudget");
    out.getBuffer().setLength(0);
    run(
        cluster(
            full
                + ";{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b}, spec:"
                + " {}, status: {disruptionsAllowed: 1}}"));
    assertThat(line(lines(), "default/p").has("assumed")).isFalse();
  }

  @Test
  void withoutANodeTheVerdictRestsOnThat() throws Exception {
    String pod = "{kind: Pod, metadata: {name: p}, spec: {priority: 0, containers: [{name: c}]}}";
    assertThat(run(pod, "--strict")).isEqualTo(Exactl.FAILED);
    assertThat(lines().getFirst().findValuesAsText("missing")).containsExactly("Node");
    out.getBuffer().setLength(0);
    assertThat(run("kind: NodeList\napiVersion: v1\nitems: []\n---\n" + pod, "--strict")).isZero();
  }

  /** Nobody looks for a node for these. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{kind: Pod, metadata: {name: p}, spec: {runtimeClassName: x, schedulingGates: [{name:"
            + " g}]}}",
        "{kind: Pod, metadata: {name: p, deletionTimestamp: '2026-01-01T00:00:00Z'}, spec:"
            + " {runtimeClassName: x}}",
        "{kind: Pod, metadata: {name: p}, spec: {runtimeClassName: x}, status: {phase: Failed}}",
      })
  void aPodWithoutAVerdictRestsOnNothing(String pod) throws Exception {
    assertThat(run(cluster(pod), "--strict")).as(err.toString()).isZero();
  }

  @Test
  void victimsRestOnWhatIsFilledIn() throws Exception {
    run(
        cluster(
            "{kind: Pod, metadata: {name: low, namespace: default}, spec: {nodeName: n1,"
                + " priorityClassName: lowest, containers: [{name: c, resources: {requests: {cpu:"
                + " 4}}}]}};{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b},"
                + " spec: {}};POD(priority: 7, containers: [{name: c, resources: {requests: {cpu:"
                + " 4}}}])"));
    assertThat(line(lines(), "default/p").findValuesAsText("missing"))
        .containsExactly(
            "status.disruptionsAllowed of PodDisruptionBudget default/b",
            "spec.priority of pods on nodes");
  }

  @Test
  void manyPodsAreOneWarningWithTheFirstOfThem() throws Exception {
    StringBuilder objects = new StringBuilder();
    for (int i = 0; i < 50; i++) {
      objects.append(
          "{kind: Pod, metadata: {name: p%02d}, spec: {priority: 0, runtimeClassName: g}};"
              .formatted(i));
    }
    assertThat(run(cluster(objects.toString()))).isZero();
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString())
        .contains(
            "warning: RuntimeClass g: missing in the files; assumed: the class has no overhead")
        .contains(
            "Verdicts on 50 pending pods depend on this: default/p00, default/p01, default/p02, ….")
        .contains("Run 'kubectl get runtimeclasses -A -o yaml' to get the object");
  }

  private static String cluster(String objects) {
    StringBuilder list = new StringBuilder("kind: List\nitems:\n");
    String all = NODE + ";" + PLAIN + ";" + objects;
    all = all.replace("LIMITED", LIMITED).replace("STORAGE", STORAGE);
    for (String object : all.split(";")) {
      String text = object.strip();
      if (text.startsWith("POD(")) {
        String spec = inner(text);
        String rest =
            (spec.contains("priority") ? "" : ", priority: 0")
                + (spec.contains("containers") ? "" : ", containers: [{name: c}]");
        text =
            "{kind: Pod, metadata: {name: p, namespace: default, labels: {hash: h}}, spec: {"
                + spec
                + rest
                + "}}";
      } else if (text.startsWith("OWNED(")) {
        text =
            "{kind: Pod, metadata: {name: p, namespace: default, labels: {app: a}, ownerReferences:"
                + " [{kind: "
                + inner(text)
                + ", name: o}]}, spec: {priority: 0, containers: [{name: c}]}}";
      } else if (text.startsWith("CLAIM(")) {
        text = CLAIM.formatted(inner(text));
      }
      if (!text.isEmpty()) {
        list.append("  - ").append(text).append('\n');
      }
    }
    return list.toString();
  }

  private static String inner(String text) {
    return text.substring(text.indexOf('(') + 1, text.lastIndexOf(')'));
  }
}
