// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Server;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Pods that claim devices, on a real API server with Kubernetes' own controller of claims, as one
 * who may do what kube-scheduler may.
 */
class DevicesProcessTest {
  private static final int NODES = 2;
  private static final String FABRIC = "fabric.example.com";
  private static final int DEVICES_OF_A_NODE = 2;
  private static final int ALL = NODES * DEVICES_OF_A_NODE;

  @TempDir private static Path folder;

  private static LiveApi api;
  private static Server controllers;
  private static SchedulerProcess scheduler;
  private int saidBefore;
  private KubernetesClient client;

  @BeforeAll
  static void startProcesses() throws Exception {
    api = SharedApi.lend();
    controllers = api.startControllers("resourceclaim-controller");
    scheduler = startScheduler();
  }

  /** Without a Lease, which would go with what a test made. */
  private static SchedulerProcess startScheduler() throws Exception {
    return SchedulerProcess.start(folder, "scheduler", api, "--leader-elect=false");
  }

  @AfterAll
  static void stopProcesses() {
    controllers.close();
    scheduler.close();
  }

  @BeforeEach
  void nodesWithDevices() throws Exception {
    saidBefore = scheduler.log().length();
    client = SharedApi.lend().client();
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
          extendedResourceName: example.com/gpu
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
  }

  /** What the scheduler said during this test. */
  private String said() throws IOException {
    return scheduler.log().substring(saidBefore);
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

  private Pod get(String name) {
    return client.pods().inNamespace("default").withName(name).get();
  }

  private String nodeOf(String name) {
    Pod pod = get(name);
    return pod == null ? null : pod.getSpec().getNodeName();
  }

  private NonNamespaceOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      claims() {
    return client
        .genericKubernetesResources("resource.k8s.io/v1", "ResourceClaim")
        .inNamespace("default");
  }

  private List<GenericKubernetesResource> allocated() {
    return claims().list().getItems().stream()
        .filter(claim -> claim.get("status", "allocation") != null)
        .toList();
  }

  private static Map<?, ?> device(GenericKubernetesResource claim) {
    return (Map<?, ?>)
        ((List<?>) claim.get("status", "allocation", "devices", "results")).getFirst();
  }

  @Test
  void eachGetsADeviceOfItsOwnAndWhoFindsNoneWaitsForOne() throws Exception {
    scheduler.close();
    IntStream.rangeClosed(0, ALL).forEach(i -> pod("pod-" + i, "resourceClaimTemplateName: one"));
    scheduler = startScheduler(); // and it finds them
    saidBefore = 0;
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
    String waits = anyPod(name -> nodeOf(name) == null);
    Await.until(
        "who waits is told why",
        () -> told(waits).contains("cannot allocate all claims"),
        () -> told(waits));
    String goes = anyPod(name -> !name.equals(waits));
    client.pods().inNamespace("default").withName(goes).withGracePeriod(0).delete();
    Await.until("it gets the device of one that goes", () -> nodeOf(waits) != null);
    assertThat(said()).doesNotContain("unexpected error", "was not bound to");
  }

  private static String anyPod(Predicate<String> such) {
    var all = IntStream.rangeClosed(0, ALL).mapToObj(i -> "pod-" + i);
    return all.filter(such).findFirst().orElseThrow();
  }

  private long bound() {
    return client.pods().inNamespace("default").list().getItems().stream()
        .map(pod -> pod.getSpec().getNodeName())
        .filter(Objects::nonNull)
        .count();
  }

  private String told(String name) {
    return get(name).getStatus().getConditions().toString();
  }

  private String nominated(String name) {
    return get(name).getStatus().getNominatedNodeName();
  }

  @Test
  void thoseThatShareAClaimGoToTheSameNode() throws Exception {
    for (int i = 0; i < 3; i++) {
      pod("pod-" + i, "resourceClaimName: shared");
    }
    Await.until("all are on nodes", () -> bound() == 3, this::bound);
    assertThat(nodeOf("pod-0")).isEqualTo(nodeOf("pod-1")).isEqualTo(nodeOf("pod-2"));
    assertThat((List<?>) allocated().getFirst().get("status", "reservedFor")).hasSize(3);
    assertThat(device(allocated().getFirst()).get("pool")).isEqualTo(nodeOf("pod-0"));
    assertThat(said()).doesNotContain("unexpected error");
  }

  @Test
  void extendedResourcesAreDevicesWhereNodesHaveNone() throws Exception {
    for (int i = 0; i < NODES; i++) {
      create(
          """
          apiVersion: v1
          kind: Pod
          metadata: {name: pod-%d, namespace: default}
          spec:
            terminationGracePeriodSeconds: 0
            containers: [{name: c, image: i, resources: {limits: {example.com/gpu: 2}}}]
          """
              .formatted(i));
    }
    Await.until("all are on nodes", () -> bound() == NODES, this::bound);
    assertThat(allocated()).hasSize(NODES);
    for (GenericKubernetesResource claim : allocated()) {
      String pod = claim.getMetadata().getOwnerReferences().getFirst().getName();
      assertThat(claim.getMetadata().getName()).startsWith(pod + "-extended-resources-");
      assertThat(device(claim).get("pool")).isEqualTo(nodeOf(pod));
      Map<?, ?> told = extendedResourcesOf(pod);
      assertThat(told.get("resourceClaimName")).isEqualTo(claim.getMetadata().getName());
      assertThat(told.get("requestMappings").toString())
          .contains("requestName=" + device(claim).get("request"), "containerName=c");
    }
    assertThat(said()).doesNotContain("unexpected error", "was not bound to");
  }

  /** A device that any node may have once it is attached, and a claim of it. */
  private void aDeviceThatHasToBeAttached() {
    create(
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: fabric}
        spec:
          driver: fabric.example.com
          allNodes: true
          pool: {name: fabric, generation: 1, resourceSliceCount: 1}
          devices:
          - {name: d, bindsToNode: true, bindingConditions: [attached], bindingFailureConditions: [failed]}
        """);
    create(
        """
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: fabric}
        spec: {selectors: [{cel: {expression: 'device.driver == "fabric.example.com"'}}]}
        """);
    create(
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: attached, namespace: default}
        spec: {devices: {requests: [{name: d, exactly: {deviceClassName: fabric}}]}}
        """);
  }

  /** It is not deleted for a more important one, as by kube-scheduler 1.36. */
  @Test
  void aPodThatWaitsForItsDevicesIsHeldBackForAMoreImportantOne() throws Exception {
    aDeviceThatHasToBeAttached();
    client.nodes().withName("node-0002").delete();
    create(
        """
        apiVersion: scheduling.k8s.io/v1
        kind: PriorityClass
        metadata: {name: important}
        value: 1000
        """);
    create(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: waits, namespace: default}
        spec:
          containers: [{name: c, image: i, resources: {requests: {cpu: 4}, claims: [{name: d}]}}]
          resourceClaims: [{name: d, resourceClaimName: attached}]
        """);
    Await.until("it has the device", () -> allocated().size() == 1);
    Pod waits = get("waits");
    Await.until("nominated", () -> "node-0001".equals(nominated("waits")));
    create(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: important, namespace: default}
        spec:
          priorityClassName: important
          containers: [{name: c, image: i, resources: {requests: {cpu: 6}}}]
        """);
    Await.until("the important one goes", () -> nodeOf("important") != null);
    Await.until(
        "the other one waits for no node, and says why",
        () -> nominated("waits") == null && told("waits").contains("Insufficient cpu"),
        () -> get("waits").getStatus());
    assertThat(get("waits").getMetadata().getUid()).isEqualTo(waits.getMetadata().getUid());
    assertThat(get("waits").getMetadata().getDeletionTimestamp()).isNull();
    assertThat(allocated()).as("the claim keeps what it has").hasSize(1);
    Await.until("unreserved", () -> allocated().getFirst().get("status", "reservedFor") == null);
    client.pods().inNamespace("default").withName("important").withGracePeriod(0).delete();
    Await.until("it has another try", () -> "node-0001".equals(nominated("waits")));
    becomes("attached");
    Await.until("it goes", () -> nodeOf("waits") != null, () -> told("waits"));
    assertThat(said()).doesNotContain("unexpected error");
  }

  @Test
  void aPodWaitsForDevicesThatHaveToGetReady() throws Exception {
    aDeviceThatHasToBeAttached();
    pod("waits", "resourceClaimName: attached");
    Await.until("it has the device", () -> allocated().size() == 1);
    assertThat(nodeOf("waits")).isNull();
    becomes("failed");
    Await.until(
        "it is told so", () -> told("waits").contains("device binding failed: claim=attached"));
    Await.until("the claim tries again", this::isAllocatedWithoutStatus);
    assertThat(nodeOf("waits")).isNull();
    becomes("attached");
    Await.until("it goes", () -> nodeOf("waits") != null, () -> told("waits"));
    assertThat(said()).doesNotContain("unexpected error");
  }

  private Map<?, ?> extendedResourcesOf(String pod) {
    return client
        .genericKubernetesResources("v1", "Pod")
        .inNamespace("default")
        .withName(pod)
        .get()
        .get("status", "extendedResourceClaimStatus");
  }

  private static Map<String, Object> condition(String type) {
    return Map.of(
        "type", type,
        "status", "True",
        "reason", "Test",
        "message", "",
        "lastTransitionTime", "2026-01-01T00:00:00Z");
  }

  /** What the device's driver says. */
  private void becomes(String condition) throws InterruptedException {
    List<Object> conditions = List.of(condition(condition));
    Map<String, Object> told =
        Map.of("driver", FABRIC, "pool", "fabric", "device", "d", "conditions", conditions);
    Conflicts.outlast(() -> claims().withName("attached").editStatus(claim -> with(told, claim)));
  }

  private static GenericKubernetesResource with(Object device, GenericKubernetesResource claim) {
    Map<String, Object> status = new LinkedHashMap<>(claim.get("status"));
    status.put("devices", List.of(device));
    claim.setAdditionalProperty("status", status);
    return claim;
  }

  /** One look: between two, the claim may lose what it had. */
  private boolean isAllocatedWithoutStatus() {
    List<GenericKubernetesResource> allocated = allocated();
    return allocated.size() == 1 && allocated.getFirst().get("status", "devices") == null;
  }
}
