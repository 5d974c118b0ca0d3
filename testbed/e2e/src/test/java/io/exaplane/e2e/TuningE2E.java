// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Shape;
import io.exaplane.tuning.rules.Item;
import io.exaplane.tuning.version.Component;
import io.exaplane.tuning.version.VersionMatrix;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Components get what the tuning model says for their size, and the hosted cluster its part. */
@Order(34)
@Tag("api")
class TuningE2E {
  private static final Duration PATIENCE = Duration.ofMinutes(6);
  private static final int GROWN = 20_000;

  private static Scratch scratch;

  /** One that grows comes up while the demo is looked at. */
  @BeforeAll
  static void up() {
    Demo.up();
    scratch =
        new Scratch(
            "grows",
            Bed.VERSION,
            """
              sizing: {growDelay: 1s, shrinkDelay: 1s}
              apiServer: {resources: {requests: {cpu: 40m}}, tuning: {goawayChance: "0.002", shutdownDelay: 2s}, extraArgs: [{name: event-ttl, value: 2h}]}
              controllerManager: {replicas: 1, resources: {requests: {cpu: 20m, memory: 128Mi}}}
              scheduler: {replicas: 1, resources: {requests: {cpu: 20m, memory: 128Mi}}}
              rollout: {minReadySeconds: 1}
            """);
  }

  @AfterAll
  static void gone() {
    scratch.close();
  }

  @Test
  @Order(1)
  void theSampleHasWhatTheModelSaysAndAConfigMapSaysWhy() {
    Bed.awaitHolds(
        PATIENCE,
        () -> assertThat(sizing(Demo.NAME, Demo.NAMESPACE).reason()).isEqualTo("AsExpected"));
    Container apiServer = container(Demo.NAME, Demo.NAMESPACE, "apiserver");
    Tuning tuning = tuning(Demo.get());
    assertThat(apiServer.getCommand()).containsAll(tuning.arguments(Component.KUBE_APISERVER));
    assertThat(container(Demo.NAME, Demo.NAMESPACE, "controller-manager").getCommand())
        .containsAll(tuning.arguments(Component.KUBE_CONTROLLER_MANAGER));
    Map<String, String> environment =
        apiServer.getEnv().stream()
            .filter(variable -> variable.getValue() != null)
            .collect(Collectors.toMap(EnvVar::getName, EnvVar::getValue));
    assertThat(environment)
        .isEqualTo(
            tuning.items(Component.KUBE_APISERVER, Item.Type.ENV).stream()
                .collect(Collectors.toMap(Item::name, item -> item.value().toString())));
    assertThat(apiServer.getResources().getLimits()).containsEntry("memory", new Quantity("3Gi"));
    assertThat(
            container(Demo.NAME, Demo.NAMESPACE, "controller-manager").getResources().getRequests())
        .containsEntry("memory", new Quantity("192Mi"));
    assertThat(data("demo-tuning", Demo.NAMESPACE))
        .containsKeys("tuning.yaml", "kubelet.yaml")
        .extractingByKey("tuning.yaml")
        .asString()
        .contains("name: goaway-chance", "confidence: H", "overrides: []", "notApplied: []");
  }

  @Test
  @Order(2)
  void aSizeThatIsSetAndSetBackRestartsNothing() {
    Map<String, Long> generations = generations(Demo.NAME, Demo.NAMESPACE);
    List<String> pods = pods(Demo.NAME, Demo.NAMESPACE);
    Demo.patch("{\"spec\":{\"maxNodes\":2000,\"sizing\":{\"growDelay\":\"1h\"}}}");
    Bed.await(
        "the change is announced",
        PATIENCE,
        () ->
            sizing(Demo.NAME, Demo.NAMESPACE).reason().equals("ChangeDelayed")
                && Integer.valueOf(2000).equals(Demo.get().getStatus().sizing().pendingMaxNodes()),
        () -> Bed.describe(Demo.NAME, Demo.NAMESPACE));
    assertThat(Demo.get().getStatus().sizing().maxNodes()).isEqualTo(100);
    Demo.patch("{\"spec\":{\"maxNodes\":100,\"sizing\":null}}");
    Bed.await(
        "the change is forgotten",
        PATIENCE,
        () ->
            sizing(Demo.NAME, Demo.NAMESPACE).reason().equals("AsExpected")
                && Demo.get().getStatus().sizing().pendingMaxNodes() == null,
        () -> Bed.describe(Demo.NAME, Demo.NAMESPACE));
    assertThat(generations(Demo.NAME, Demo.NAMESPACE)).isEqualTo(generations);
    assertThat(pods(Demo.NAME, Demo.NAMESPACE)).isEqualTo(pods);
  }

  @Test
  @Order(3)
  void aControlPlaneThatGrowsIsTunedAnewAndKeepsItsStores() {
    scratch.awaitSettled(PATIENCE);
    assertThat(sizing(scratch).reason()).isEqualTo("Overridden");
    assertThat(sizing(scratch).message())
        .contains("goaway-chance is 0.002 instead of 0.001", "event-ttl is 2h");
    assertThat(flowControl(scratch)).isEmpty();
    resize(scratch, GROWN);
    Tuning tuning = tuning(Bed.controlPlane(scratch.name, scratch.namespace));
    Container apiServer = container(scratch.name, scratch.namespace, "apiserver");
    assertThat(apiServer.getCommand())
        .contains("--max-requests-inflight=3000", "--goaway-chance=0.002", "--event-ttl=2h")
        .noneMatch(flag -> flag.contains("leases"));
    assertThat(apiServer.getResources().getLimits())
        .as("what no node carries is not asked for: it keeps what it has")
        .containsEntry("memory", new Quantity("3Gi"));
    assertThat(sizing(scratch).status()).isEqualTo(Condition.FALSE);
    assertThat(sizing(scratch).reason()).isEqualTo("ReshardNeeded");
    assertThat(sizing(scratch).message())
        .contains(
            "coordination.k8s.io/leases",
            "each kube-apiserver needs",
            "the store default holds at most",
            "the largest node has",
            "overridden");
    assertThat(data(scratch.name + "-tuning", scratch.namespace).get("tuning.yaml"))
        .contains("coordination.k8s.io/leases keeps its store", "field: spec.apiServer.extraArgs");
    assertThat(container(scratch.name, scratch.namespace, "scheduler").getCommand())
        .contains("--config=/etc/kubernetes/configuration/config.yaml");
    theHostedClusterHasItsObjectsAndTheyAreHealed(scratch, tuning);
    resize(scratch, 10);
    Bed.await(
        "the small cluster has no flow schemas of ours",
        PATIENCE,
        () -> flowControl(scratch).isEmpty(),
        () -> flowControl(scratch).toString());
  }

  private static void theHostedClusterHasItsObjectsAndTheyAreHealed(
      Scratch scratch, Tuning tuning) {
    List<String> wanted =
        tuning.items(Component.KUBE_APISERVER, Item.Type.APF).stream()
            .map(Item::name)
            .sorted()
            .toList();
    assertThat(wanted).isNotEmpty();
    Bed.await(
        "the model's flow schemas and priority levels",
        PATIENCE,
        () -> flowControl(scratch).equals(wanted),
        () -> flowControl(scratch).toString());
    var flows = scratch.client().flowControl().v1();
    flows.flowSchema().withName("exaplane-node-leases").delete();
    var level = flows.priorityLevelConfigurations().withName("exaplane-leases");
    int shares = level.get().getSpec().getLimited().getNominalConcurrencyShares();
    level.patch(
        PatchContext.of(PatchType.JSON_MERGE),
        "{\"spec\":{\"limited\":{\"nominalConcurrencyShares\":1}}}");
    var advice =
        scratch.client().configMaps().inNamespace("kube-public").withName("exaplane-tuning");
    advice.delete();
    Bed.await(
        "what was removed and changed is put back",
        PATIENCE,
        () ->
            flowControl(scratch).equals(wanted)
                && level.get().getSpec().getLimited().getNominalConcurrencyShares() == shares
                && advice.get() != null,
        () -> flowControl(scratch).toString());
    Bed.awaitHolds(
        PATIENCE,
        () ->
            assertThat(advice.get().getData().get("kubelet.yaml"))
                .contains("kind: KubeletConfiguration", "nodeStatusMaxImages: 10"));
  }

  private static void resize(Scratch scratch, int nodes) {
    Demo.patch(scratch.name, scratch.namespace, "{\"spec\":{\"maxNodes\":" + nodes + "}}");
    Bed.await(
        "it is made for " + nodes + " nodes",
        PATIENCE,
        () ->
            Bed.controlPlane(scratch.name, scratch.namespace).getStatus().sizing().maxNodes()
                == nodes,
        () -> Bed.describe(scratch.name, scratch.namespace));
    scratch.awaitSettled(PATIENCE);
  }

  /** What the model says for the control plane, asked as anybody can. */
  private static Tuning tuning(ControlPlane controlPlane) {
    VersionMatrix matrix = VersionMatrix.load();
    return Tuning.of(
        Shape.of(
            Map.of(
                Input.KUBERNETES_VERSION,
                Bed.VERSION.substring(0, Bed.VERSION.lastIndexOf('.')),
                Input.NODES,
                controlPlane.getSpec().maxNodes().toString(),
                Input.REPLICAS,
                "2",
                Input.LOAD_BALANCER_SECONDS,
                "10",
                Input.EXAPLANE_STORES,
                "true"),
            matrix),
        matrix);
  }

  private static List<String> flowControl(Scratch scratch) {
    var flows = scratch.client().flowControl().v1();
    String managed = "app.kubernetes.io/managed-by";
    return Stream.of(
            flows.flowSchema().withLabel(managed, "exaplane").list().getItems(),
            flows.priorityLevelConfigurations().withLabel(managed, "exaplane").list().getItems())
        .flatMap(List::stream)
        .map(object -> object.getKind() + "/" + object.getMetadata().getName())
        .sorted()
        .toList();
  }

  private static Condition sizing(Scratch scratch) {
    return sizing(scratch.name, scratch.namespace);
  }

  private static Condition sizing(String name, String namespace) {
    return Bed.condition(Bed.controlPlane(name, namespace), ConditionType.SizingValid)
        .orElseThrow();
  }

  private static Map<String, String> data(String name, String namespace) {
    return Bed.CLIENT.configMaps().inNamespace(namespace).withName(name).get().getData();
  }

  private static Container container(String name, String namespace, String component) {
    return deployment(name, namespace, component)
        .getSpec()
        .getTemplate()
        .getSpec()
        .getContainers()
        .getFirst();
  }

  private static Deployment deployment(String name, String namespace, String component) {
    return Bed.CLIENT
        .apps()
        .deployments()
        .inNamespace(namespace)
        .withName(name + "-" + component)
        .get();
  }

  private static Map<String, Long> generations(String name, String namespace) {
    Map<String, Long> generations = new TreeMap<>();
    for (String component : List.of("apiserver", "controller-manager", "scheduler")) {
      generations.put(
          component, deployment(name, namespace, component).getMetadata().getGeneration());
    }
    return generations;
  }

  private static List<String> pods(String name, String namespace) {
    return Stream.of("apiserver", "controller-manager", "scheduler")
        .flatMap(component -> Bed.pods(name, namespace, component).stream())
        .map((Pod pod) -> pod.getMetadata().getName())
        .sorted()
        .toList();
  }
}
