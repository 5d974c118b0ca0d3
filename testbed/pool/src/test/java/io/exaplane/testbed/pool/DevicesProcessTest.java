// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Pods that claim devices, on a real API server with Kubernetes' own controller of claims, as one
 * who may do what kube-scheduler may.
 */
class DevicesProcessTest {
  private static final int NODES = 2;
  private static final int DEVICES_OF_A_NODE = 2;
  private static final int ALL = NODES * DEVICES_OF_A_NODE;

  @TempDir private Path folder;

  private LiveApi api;
  private KubernetesClient client;

  @BeforeEach
  void nodesWithDevices() throws Exception {
    api = LiveApi.start(folder);
    api.startControllers("resourceclaim-controller");
    client = api.client();
    for (int i = 1; i <= NODES; i++) {
      client.resource(PodMix.node(i, "8")).create();
      create(
          """
          apiVersion: resource.k8s.io/v1
          kind: ResourceSlice
          metadata: {name: "slice-%1$d"}
          spec:
            driver: gpu.example.com
            nodeName: node-000%1$d
            pool: {name: node-000%1$d, generation: 1, resourceSliceCount: 1}
            devices: [{name: gpu-0}, {name: gpu-1}]
          """
              .formatted(i));
    }
    create(
        """
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: gpu}
        spec:
          selectors: [{cel: {expression: 'device.driver == "gpu.example.com"'}}]
          config: [{opaque: {driver: gpu.example.com, parameters: {kind: Config, of: class}}}]
        """);
    create(
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaimTemplate
        metadata: {name: one, namespace: default}
        spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}}
        """);
    create(
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: shared, namespace: default}
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}
        """);
  }

  @AfterEach
  void stop() {
    client.close();
    api.close();
  }

  private void create(String yaml) {
    client.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8))).create();
  }

  private void pod(String name, String claim) {
    create(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: default}
        spec:
          terminationGracePeriodSeconds: 0
          containers: [{name: c, image: i, resources: {claims: [{name: gpu}]}}]
          resourceClaims: [{name: gpu, %s}]
        """
            .formatted(name, claim));
  }

  private String nodeOf(String name) {
    Pod pod = client.pods().inNamespace("default").withName(name).get();
    return pod == null ? null : pod.getSpec().getNodeName();
  }

  private List<GenericKubernetesResource> allocated() {
    return client
        .genericKubernetesResources("resource.k8s.io/v1", "ResourceClaim")
        .inNamespace("default")
        .list()
        .getItems()
        .stream()
        .filter(claim -> claim.get("status", "allocation") != null)
        .toList();
  }

  private static Map<?, ?> device(GenericKubernetesResource claim) {
    return (Map<?, ?>)
        ((List<?>) claim.get("status", "allocation", "devices", "results")).getFirst();
  }

  @Test
  void eachGetsADeviceOfItsOwnAndWhoFindsNoneWaitsForOne() throws Exception {
    IntStream.rangeClosed(0, ALL).forEach(i -> pod("pod-" + i, "resourceClaimTemplateName: one"));
    try (SchedulerProcess scheduler = SchedulerProcess.start(folder, "scheduler", api)) {
      Await.until("all devices are given", () -> bound() == ALL, this::bound);
      List<GenericKubernetesResource> claims = allocated();
      assertThat(claims)
          .extracting(claim -> device(claim).get("pool") + "/" + device(claim).get("device"))
          .doesNotHaveDuplicates()
          .hasSize(ALL);
      for (GenericKubernetesResource claim : claims) {
        Map<?, ?> user = (Map<?, ?>) ((List<?>) claim.get("status", "reservedFor")).getFirst();
        assertThat(nodeOf((String) user.get("name"))).isEqualTo(device(claim).get("pool"));
        assertThat(claim.getMetadata().getFinalizers())
            .contains("resource.kubernetes.io/delete-protection");
        assertThat(claim.get("status", "allocation", "devices", "config").toString())
            .contains("FromClass", "of=class");
        assertThat(claim.get("status", "allocation", "nodeSelector").toString())
            .contains((String) device(claim).get("pool"));
      }
      String waits =
          IntStream.rangeClosed(0, ALL)
              .mapToObj(i -> "pod-" + i)
              .filter(name -> nodeOf(name) == null)
              .findFirst()
              .orElseThrow();
      Await.until(
          "who waits is told why",
          () -> told(waits).contains("cannot allocate all claims"),
          () -> told(waits));
      String goes =
          IntStream.rangeClosed(0, ALL)
              .mapToObj(i -> "pod-" + i)
              .filter(name -> !name.equals(waits))
              .findFirst()
              .orElseThrow();
      client.pods().inNamespace("default").withName(goes).withGracePeriod(0).delete();
      Await.until("it gets the device of one that goes", () -> nodeOf(waits) != null);
      assertThat(scheduler.log()).doesNotContain("this should not be", "does not go to");
    }
  }

  private long bound() {
    return client.pods().inNamespace("default").list().getItems().stream()
        .map(pod -> pod.getSpec().getNodeName())
        .filter(Objects::nonNull)
        .count();
  }

  private String told(String name) {
    return client
        .pods()
        .inNamespace("default")
        .withName(name)
        .get()
        .getStatus()
        .getConditions()
        .toString();
  }

  @Test
  void thoseThatShareAClaimGoToTheSameNode() throws Exception {
    try (SchedulerProcess scheduler = SchedulerProcess.start(folder, "scheduler", api)) {
      for (int i = 0; i < 3; i++) {
        pod("pod-" + i, "resourceClaimName: shared");
      }
      Await.until("all are on nodes", () -> bound() == 3, this::bound);
      assertThat(nodeOf("pod-0")).isEqualTo(nodeOf("pod-1")).isEqualTo(nodeOf("pod-2"));
      assertThat((List<?>) allocated().getFirst().get("status", "reservedFor")).hasSize(3);
      assertThat(device(allocated().getFirst()).get("pool")).isEqualTo(nodeOf("pod-0"));
      assertThat(scheduler.log()).doesNotContain("this should not be");
    }
  }
}
