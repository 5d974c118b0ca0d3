// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulateCommandTest extends Simulating {
  @Test
  void findsDevicesForClaims() throws Exception {
    String cluster =
        """
        kind: List
        items:
          - {kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}}
          - {kind: Node, metadata: {name: n2}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}}
          - apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {selectors: [{cel: {expression: "device.driver == 'gpu.example.org'"}}]}
          - apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: s1}
            spec:
              {driver: gpu.example.org, nodeName: n2, pool: {name: n2, generation: 1, resourceSliceCount: 1},
               devices: [{name: g0, attributes: {model: {string: A}}}, {name: g1, attributes: {model: {string: B}}}]}
          - apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: b, namespace: a}
            spec:
              devices:
                requests:
                  - name: one
                    exactly:
                      deviceClassName: gpu
                      selectors: [{cel: {expression: "device.attributes['gpu.example.org'].model == 'B'"}}]
          - {kind: Pod, metadata: {name: p, namespace: a}, spec: {resourceClaims: [{name: c, resourceClaimName: b}], containers: [{name: c}]}}
        """;
    assertThat(run(cluster)).isZero();
    JsonNode pod = line(lines(), "a/p");
    assertThat(pod.get("node").asText()).isEqualTo("n2");
    assertThat(pod.get("devices").toString())
        .isEqualTo("{\"a/b\":[\"one: gpu.example.org/n2/g1\"]}");
    assertThat(pod.at("/infeasible/n1/reasons/0").asText()).isEqualTo("cannot allocate all claims");
  }

  @Test
  void drainsNodes() throws Exception {
    String cluster =
        """
        kind: List
        items:
          - {kind: Pod, metadata: {name: web, namespace: a, labels: {app: web}, ownerReferences: [{kind: ReplicaSet, name: web}]}, spec: {nodeName: n1, containers: [{name: c, resources: {requests: {cpu: "2"}}}]}, status: {phase: Running}}
          - {kind: Pod, metadata: {name: agent, namespace: a, ownerReferences: [{kind: DaemonSet, name: agent}]}, spec: {nodeName: n1, containers: [{name: c, resources: {requests: {cpu: "3"}}}]}, status: {phase: Running}}
          - {kind: Pod, metadata: {name: static, namespace: a, annotations: {kubernetes.io/config.mirror: x}}, spec: {nodeName: n1, containers: [{name: c}]}, status: {phase: Running}}
          - {kind: Pod, metadata: {name: bare, namespace: a, uid: u}, spec: {nodeName: n1, resourceClaims: [{name: c, resourceClaimName: gpu}], containers: [{name: c, resources: {requests: {cpu: "3"}}}]}, status: {phase: Running}}
          - {kind: Pod, metadata: {name: leaving, namespace: a, deletionTimestamp: "2026-01-01T00:00:00Z"}, spec: {nodeName: n1, containers: [{name: c}]}, status: {phase: Running}}
          - {kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "8", memory: 8Gi, pods: "110"}}}
          - {kind: Node, metadata: {name: n2}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}}
          - {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}, spec: {}}
          - {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s1}, spec: {driver: d, nodeName: n2, pool: {name: n2, generation: 1, resourceSliceCount: 1}, devices: [{name: g0}]}}
          - apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: gpu, namespace: a, uid: c}
            spec: {devices: {requests: [{name: q, exactly: {deviceClassName: gpu, count: 1}}]}}
            status:
              reservedFor: [{resource: pods, name: bare, uid: u}]
              allocation:
                nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [n1]}]}]}
                devices: {results: [{request: q, driver: d, pool: n1, device: g0}]}
          - apiVersion: policy/v1
            kind: PodDisruptionBudget
            metadata: {name: web, namespace: a}
            spec: {selector: {matchLabels: {app: web}}}
            status: {disruptionsAllowed: 0}
        """;
    assertThat(run(cluster, "--drain=n1")).isZero();
    List<JsonNode> lines = lines();
    assertThat(lines).hasSize(2);
    assertThat(line(lines, "a/web").get("node").asText()).isEqualTo("n2");
    assertThat(line(lines, "a/bare").get("message").asText()).contains("1 Insufficient cpu");
    assertThat(line(lines, "a/web").at("/infeasible/n1/plugin").asText())
        .isEqualTo("NodeUnschedulable");
    assertThat(err.toString())
        .contains("PodDisruptionBudget a/web allows 0 disruptions, but 1 of its pods are drained")
        .contains("pod a/bare has no controller")
        .doesNotContain("a/web has no controller");
    out.getBuffer().setLength(0);
    assertThat(run(cluster.replace("cpu: \"2\"", "cpu: 500m"), "--drain=n1")).isZero();
    assertThat(line(lines(), "a/bare").get("devices").toString())
        .isEqualTo("{\"a/gpu\":[\"q: d/n2/g0\"]}");
    assertThat(run(cluster, "--drain=n7")).isEqualTo(2);
    assertThat(err.toString()).contains("drain").contains("n7");
  }

  @Test
  void decidesAboutGangsAllOrNothing() throws Exception {
    String cluster =
        """
        kind: List
        items:
          - {kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}}
          - {apiVersion: scheduling.k8s.io/v1alpha2, kind: PodGroup, metadata: {name: train, namespace: a}, spec: {schedulingPolicy: {gang: {minCount: 2}}}}
          - {kind: Pod, metadata: {name: w0, namespace: a}, spec: {schedulingGroup: {podGroupName: train}, containers: [{name: c, resources: {requests: {cpu: "3"}}}]}}
          - {kind: Pod, metadata: {name: w1, namespace: a}, spec: {schedulingGroup: {podGroupName: train}, schedulerName: other, containers: [{name: c, resources: {requests: {cpu: "3"}}}]}}
        """;
    String configuration =
        """
        apiVersion: kubescheduler.config.k8s.io/v1
        kind: KubeSchedulerConfiguration
        profiles:
          - plugins: {multiPoint: {enabled: [{name: GangScheduling}]}}
        """;
    Path file = Files.writeString(folder.resolve("scheduler.yaml"), configuration);
    String old = "--profile=1.36";
    assertThat(run(cluster.replace("schedulerName: other, ", ""), "--config=" + file, old))
        .isZero();
    JsonNode first = line(lines(), "a/w0");
    assertThat(first.get("node").isNull()).isTrue();
    assertThat(first.at("/feasible/n1/total").asInt()).isZero();
    assertThat(first.get("message").asText()).startsWith("waiting for minCount pods from a gang");
    out.getBuffer().setLength(0);
    String two =
        configuration.replace("- plugins", "- schedulerName: default-scheduler\n    plugins")
            + "  - {schedulerName: other, plugins: {multiPoint: {enabled: [{name: GangScheduling}]}}}\n";
    Files.writeString(file, two);
    assertThat(run(cluster, "--config=" + file, old)).isZero();
    assertThat(line(lines(), "a/w0").get("message").asText())
        .contains("should have the same .spec.schedulerName set");
    assertThat(err.toString()).isEmpty();
    assertThat(run(cluster)).isZero();
    assertThat(err.toString())
        .contains("2 pending pods belong to gangs, but no profile schedules gangs")
        .contains("kube-scheduler 1.37 does the same by default");
    out.getBuffer().setLength(0);
    String newest = cluster.replace("v1alpha2", "v1beta1").replace("schedulerName: other, ", "");
    assertThat(run(newest, "--config=" + file)).isZero();
    assertThat(line(lines(), "a/w0").get("message").asText())
        .startsWith("pod group is unschedulable, minCount (2) cannot be satisfied: 1 scheduled");
  }

  @Test
  void saysOfEachNodeWhatKubeSchedulerWould() throws Exception {
    assertThat(run(CLUSTER, "--independent")).isZero();
    List<JsonNode> lines = lines();
    assertThat(lines).hasSize(3);
    JsonNode one = line(lines, "a/one");
    assertThat(one.get("node").asText()).isEqualTo("n2");
    assertThat(one.at("/feasible/n2").toString()).isEqualTo("{\"total\":0,\"scores\":{}}");
    assertThat(one.at("/infeasible/n1").toString())
        .isEqualTo(
            "{\"plugin\":\"NodeResourcesFit\",\"status\":\"Unschedulable\",\"reasons\":[\"Insufficient"
                + " cpu\"]}");
    assertThat(one.at("/infeasible/n3/plugin").asText()).isEqualTo("NodeUnschedulable");
    JsonNode two = line(lines, "a/two");
    assertThat(two.at("/feasible/n2/scores/TaintToleration").asInt()).isEqualTo(300);
    assertThat(two.at("/feasible/n1/total").asInt())
        .isLessThan(two.at("/feasible/n2/total").asInt());
  }

  @Test
  void saysHowMuchWorseTheNodeIsThatAPodWaitedFor() throws Exception {
    assertThat(run(CLUSTER, "--independent")).isZero();
    JsonNode free = line(lines(), "a/two");
    double best = free.at("/feasible/n2/total").asDouble();
    double other = free.at("/feasible/n1/total").asDouble();
    assertThat(free.get("regret").asDouble()).isZero();
    out.getBuffer().setLength(0);
    String small = "requests: {cpu: 500m}}}]}";
    String waiting =
        CLUSTER.replace(small + "}", small + ", status: {phase: Pending, nominatedNodeName: n1}}");
    assertThat(run(waiting, "--independent")).isZero();
    JsonNode waited = line(lines(), "a/two");
    assertThat(waited.get("node").asText()).isEqualTo("n1");
    assertThat(waited.get("regret").asDouble()).isPositive().isEqualTo((best - other) / best);
    assertThat(waited.get("feasible")).as("no other was asked").hasSize(1);
  }

  @Test
  void placesOneAfterAnotherAndMakesRoom() throws Exception {
    assertThat(run(CLUSTER, "--verdicts=none")).isZero();
    List<JsonNode> lines = lines();
    assertThat(lines.getFirst().toString()).isEqualTo("{\"pod\":\"a/vip\",\"node\":\"n2\"}");
    assertThat(line(lines, "a/one").get("node").isNull()).isTrue();
    assertThat(line(lines, "a/two").get("node").asText()).isEqualTo("n1");
  }

  @Test
  void saysWhoWouldHaveToGo() throws Exception {
    String full = CLUSTER.replace("name: n2}", "name: n2}, spec: {unschedulable: true}");
    assertThat(run(full, "--independent", "--verdicts=summary")).isZero();
    JsonNode vip = line(lines(), "a/vip");
    assertThat(vip.get("node").isNull()).isTrue();
    assertThat(vip.get("nominated").asText()).isEqualTo("n1");
    assertThat(vip.get("victims").toString()).isEqualTo("[\"a/old\"]");
    assertThat(vip.get("feasible").asInt()).isZero();
    assertThat(vip.get("infeasible").toString())
        .isEqualTo(
            "{\"NodeResourcesFit\":{\"Insufficient cpu\":1},\"NodeUnschedulable\":{\"node(s) were"
                + " unschedulable\":2}}");
    assertThat(vip.get("message").asText())
        .isEqualTo(
            "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) were unschedulable. preemption:"
                + " found a potential placement for pod on node n1, preempting 1 victims");
  }

  @Test
  void printsATable() throws Exception {
    assertThat(run(CLUSTER, "-o", "table")).isZero();
    assertThat(out.toString())
        .containsPattern("POD +NODE +SCORE +NOMINATED +VICTIMS +MESSAGE")
        .containsPattern(
            "a/one +- +- +- +- +0/3 nodes are available: 1 node.s. were unschedulable, 2 ");
  }

  @Test
  void decidesAsConfigured() throws Exception {
    Path config = folder.resolve("config.yaml");
    Files.writeString(
        config,
        """
        apiVersion: kubescheduler.config.k8s.io/v1
        kind: KubeSchedulerConfiguration
        percentageOfNodesToScore: 50
        profiles:
          - schedulerName: packer
            pluginConfig:
              - name: NodeResourcesFit
                args: {scoringStrategy: {type: MostAllocated}}
        """);
    String cluster =
        CLUSTER.replace(
            "spec: {containers: [{name: c, resources: {requests: {cpu: 500m",
            "spec: {schedulerName: packer, containers: [{name: c, resources: {requests: {cpu: 500m");
    assertThat(run(cluster, "--config", config.toString(), "--verdicts=none")).isZero();
    assertThat(lines()).hasSize(1);
    assertThat(lines().getFirst().get("node").asText()).isEqualTo("n1");
    assertThat(err.toString()).contains("percentageOfNodesToScore: 50 has no effect");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "extenders: [{urlPrefix: http://x, tlsConfig: {keyData: c2VjcmV0}}]|extenders: 1 is not valid",
        "parallelism: 3\\nparallelism: 4|parallelism: 4 is not valid: the key appears twice",
        "profiles: [{plugins: {filter: {enabled: [{name: Coscheduling}]}}}]|Coscheduling",
        "profiles: [{plugins: {filter: {enabled: [{name: SchedulingGates}]}}}]|\"SchedulingGates\" is not valid: it has nothing to do at filter",
        "profiles: [{plugins: {filter: {disabled: [{name: NodeAffinity}]}}}]|profiles[0].plugins.preFilter",
        "profiles: [{pluginConfig: [{name: InterPodAffinity, args: {hardPodAffinityWeight: 101}}]}]|hardPodAffinityWeight: 101",
        "profiles: [{pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: Random}}}]}]|type: \"Random\"",
      })
  void refusesByNameWhatItDoesNotKnow(String field, String named) throws Exception {
    Path config = folder.resolve("config.yaml");
    Files.writeString(
        config,
        "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
            + field.replace("\\n", "\n"));
    assertThat(run(CLUSTER, "--config", config.toString())).isEqualTo(Exactl.BAD_INPUT);
    assertThat(err.toString()).startsWith("error: ").contains(config.toString(), named);
    assertThat(err.toString()).doesNotContain("c2VjcmV0");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void drainedPodsWaitBehindOthers() throws Exception {
    String cluster =
        """
        kind: List
        items:
          - {kind: Node, metadata: {name: n1}, status: {allocatable: {pods: "9"}}}
          - {kind: Node, metadata: {name: n2}, status: {allocatable: {pods: "1"}}}
          - {kind: Pod, metadata: {name: old, creationTimestamp: "2024-01-01T00:00:00Z", ownerReferences: [{kind: ReplicaSet, name: r}]}, spec: {nodeName: n1}}
          - {kind: Pod, metadata: {name: new, creationTimestamp: "2025-01-01T00:00:00Z"}}
        """;
    assertThat(run(cluster, "--drain", " n1")).isZero();
    assertThat(line(lines(), "default/new").get("node").asText()).isEqualTo("n2");
    assertThat(line(lines(), "default/old").get("node").isNull()).isTrue();
  }

  @Test
  void saysWhoseSchedulersAreNotConfigured() throws Exception {
    Path config = folder.resolve("config.yaml");
    Files.writeString(
        config,
        "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles: [{schedulerName: zzz}]\n");
    assertThat(run(CLUSTER, "--config", config.toString())).isZero();
    assertThat(err.toString()).contains("without a profile in --config: {default-scheduler=3}");
    assertThat(execute("simulate", "-f", "-", "-f", "-")).isEqualTo(Exactl.BAD_INPUT);
    assertThat(err.toString()).contains("name the standard input once");
  }

  @Test
  void namesItsVersion() {
    assertThat(execute("simulate", "--version")).isZero();
    assertThat(out.toString())
        .contains("exactl ")
        .contains("kube-scheduler 1.34, 1.35, 1.36, 1.37");
  }
}
