// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.fleet;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.testbed.machine.Kubernetes;
import io.exaplane.testbed.machine.Machine;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One operator and control planes whose pods are ready by word only, each in the namespace of its
 * name. Their addresses are in a network without a route. Used by one thread.
 */
final class LifeBed implements AutoCloseable {
  private static final Duration MOST = Duration.ofMinutes(10);
  private static final Duration INTERVAL = Duration.ofSeconds(5);

  /** Of each control plane, during which nothing but statuses is written. */
  private static final int LOOKS = 2;

  /** What a write of a Deployment or StatefulSet looks like: one of its status is none. */
  private static final String OF_TEMPLATES =
      "(create|update|patch|delete) /apis/apps/v1/namespaces/[^/]+/(deployments|statefulsets)(/[^/?]+)?([?].*)?";

  private static final String OF_STATUS = ".*/(status|events)(/.*|\\?.*)?";

  private final Path folder;
  private final Management cluster;
  private final Unreachable network;
  private final Set<String> planes = new HashSet<>();
  private OperatorProcess operator;
  private Watch watch;
  private ReadyPods kubelet;

  private LifeBed(Path folder, Management cluster) throws Exception {
    this.folder = folder;
    this.cluster = cluster;
    this.network = Unreachable.of(Management.SERVICES);
  }

  /** Starts a management cluster. The operator starts with {@link #settle}. */
  static LifeBed start(Path folder) throws Exception {
    Management cluster = Management.start(folder);
    try {
      return new LifeBed(folder, cluster);
    } catch (Exception e) {
      cluster.close();
      throw e;
    }
  }

  private KubernetesClient client() {
    return cluster.client();
  }

  /**
   * Creates a control plane with two kube-apiservers, a store on a volume and one for Events.
   *
   * @param more further fields of the spec; each line but the first begins with two spaces
   */
  void create(String plane, String more) {
    client()
        .resource(new NamespaceBuilder().withNewMetadata().withName(plane).endMetadata().build())
        .create();
    client()
        .resource(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: ControlPlane
            metadata: {name: %1$s, namespace: %1$s}
            spec:
              version: %2$s
              maxNodes: 10
              %3$s
            """
                .formatted(plane, Kubernetes.version(), more))
        .create();
    planes.add(plane);
  }

  /** Creates the SchedulerPool of a control plane. */
  void createPool(String plane) {
    client()
        .resource(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: SchedulerPool
            metadata: {name: %1$s, namespace: %1$s}
            spec: {controlPlaneRef: {name: %1$s}, roots: {replicas: 1}}
            """
                .formatted(plane))
        .create();
  }

  /** Starts the operator if none runs, and waits until nothing but statuses is written. */
  void settle() throws Exception {
    if (operator == null) {
      kubelet = new ReadyPods(client(), Set.copyOf(planes));
      startOperator(Machine.environment("EXA_OPERATOR"), OtherBundle.former(), "operator-former");
    }
    until("each has its servers", () -> planes.stream().allMatch(this::serverAvailable));
    looksAgain();
  }

  /** Waits until each control plane was reconciled again while nothing but statuses was written. */
  void looksAgain() throws Exception {
    long[] seen = {-1, Long.MAX_VALUE};
    until(
        "nothing but statuses is written",
        () -> {
          long now = changesAfter(0).count();
          // 0 while it does not tell; one that was started again counts from the beginning.
          long looks = operator.looks();
          if (now != seen[0] || looks > 0 && looks < seen[1]) {
            seen[0] = now;
            seen[1] = looks > 0 ? looks : Long.MAX_VALUE;
          }
          return looks - seen[1] >= (long) LOOKS * planes.size();
        });
  }

  private void startOperator(String words, Map<String, String> settings, String name)
      throws Exception {
    operator =
        OperatorProcess.start(
            words,
            settings,
            name,
            folder,
            cluster.operatorKubeconfig(),
            Management.shippedLimitBytes(),
            INTERVAL);
    watch = new Watch(cluster, operator, MOST);
  }

  /** Ends the operator as a kubelet does, and starts another one, which leads when this returns. */
  void replaceOperator(OtherBundle other) throws Exception {
    operator.stop();
    operator.close();
    startOperator(other.words(), other.settings(), "operator-other");
    until("the other operator leads", () -> operator.readyAs().equals("leader"));
  }

  void until(String what, BooleanSupplier condition) throws InterruptedException {
    watch.until(what, condition);
  }

  private Resource<ControlPlane> resource(String plane) {
    return client().resources(ControlPlane.class).inNamespace(plane).withName(plane);
  }

  ControlPlane controlPlane(String plane) {
    return resource(plane).get();
  }

  /** Patches a control plane by a JSON merge patch. */
  void patch(String plane, String json) {
    resource(plane).patch(PatchContext.of(PatchType.JSON_MERGE), json);
  }

  /** Gives kube-apiserver one flag more. */
  void setFlag(String plane, String flag, String value) {
    patch(
        plane,
        "{\"spec\":{\"apiServer\":{\"extraArgs\":[{\"name\":\"%s\",\"value\":\"%s\"}]}}}"
            .formatted(flag, value));
  }

  /** Takes the flag back. */
  void dropFlags(String plane) {
    patch(plane, "{\"spec\":{\"apiServer\":null}}");
  }

  void annotate(String plane, String name, String value) {
    patch(plane, "{\"metadata\":{\"annotations\":{\"%s\":\"%s\"}}}".formatted(name, value));
  }

  Optional<Condition> condition(String plane, ConditionType type) {
    ControlPlane now = controlPlane(plane);
    return now.getStatus() == null
        ? Optional.empty()
        : find(now.getStatus().conditions(), type.name());
  }

  private static Optional<Condition> find(List<Condition> conditions, String type) {
    return Stream.ofNullable(conditions)
        .flatMap(List::stream)
        .filter(condition -> condition.type().equals(type))
        .findFirst();
  }

  /** Whether kube-apiservers serve, as far as Kubernetes knows. */
  boolean serverAvailable(String plane) {
    return condition(plane, ConditionType.APIServerAvailable)
        .filter(condition -> condition.status().equals(Condition.TRUE))
        .isPresent();
  }

  private List<Pod> list(String plane, String component) {
    return client()
        .pods()
        .inNamespace(plane)
        .withLabel("exaplane.io/control-plane", plane)
        .withLabel("app.kubernetes.io/component", component)
        .list()
        .getItems()
        .stream()
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .toList();
  }

  /** UIDs of the pods of a component. */
  Set<String> pods(String plane, String component) {
    return list(plane, component).stream()
        .map(pod -> pod.getMetadata().getUid())
        .collect(Collectors.toSet());
  }

  Pod onlyPod(String plane, String component) {
    List<Pod> pods = list(plane, component);
    if (pods.size() != 1) {
      throw new AssertionError("there are %d pods of %s".formatted(pods.size(), component));
    }
    return pods.getFirst();
  }

  /** Deletes the only pod of a component, and returns the one that its Deployment makes then. */
  Pod youngerPod(String plane, String component) throws InterruptedException {
    Pod before = onlyPod(plane, component);
    client().resource(before).withGracePeriod(0).delete();
    until(
        "another pod of %s runs".formatted(component),
        () ->
            list(plane, component).stream()
                .map(pod -> !isSame(pod, before) && "Running".equals(pod.getStatus().getPhase()))
                .toList()
                .equals(List.of(true)));
    return onlyPod(plane, component);
  }

  private static boolean isSame(Pod one, Pod other) {
    return one.getMetadata().getUid().equals(other.getMetadata().getUid());
  }

  /** The files of a Secret, in base64. */
  Map<String, String> secret(String plane, String name) {
    return client().secrets().inNamespace(plane).withName(name).get().getData();
  }

  /** Says the status of a pod as a kubelet does. */
  void say(Pod pod) {
    client().resource(pod).updateStatus();
  }

  /** The difference that a ConfigMap shows; no lines for none. */
  List<String> shown(String plane, String configMap) {
    ConfigMap map = client().configMaps().inNamespace(plane).withName(configMap).get();
    return map == null || map.getData() == null
        ? List.of()
        : OtherBundle.lines(map.getData().getOrDefault("diff", ""));
  }

  /** The messages of OperatorUpdatePending=True: of the control plane, its stores, and its pool. */
  List<String> pending(String plane) {
    Stream<List<Condition>> all =
        Stream.of(
                Stream.of(controlPlane(plane)).map(each -> each.getStatus().conditions()),
                client().resources(StoreShard.class).inNamespace(plane).list().getItems().stream()
                    .map(each -> each.getStatus().conditions()),
                client()
                    .resources(SchedulerPool.class)
                    .inNamespace(plane)
                    .list()
                    .getItems()
                    .stream()
                    .map(each -> each.getStatus().conditions()))
            .flatMap(each -> each);
    return all.filter(Objects::nonNull)
        .flatMap(each -> find(each, ConditionType.OperatorUpdatePending.name()).stream())
        .filter(condition -> condition.status().equals(Condition.TRUE))
        .map(Condition::message)
        .toList();
  }

  /** How many writes of the operator there were. */
  int writes() throws IOException {
    return cluster.auditLog().count();
  }

  private Stream<String> changesAfter(int writes) {
    try {
      return cluster.auditLog().after(writes).stream().filter(write -> !write.matches(OF_STATUS));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The writes of Deployments and StatefulSets after so many writes, as verb and path. */
  List<String> templatesWritten(int writes) {
    return changesAfter(writes)
        .filter(write -> write.matches(OF_TEMPLATES))
        .filter(write -> !write.contains("dryRun="))
        .toList();
  }

  @Override
  public void close() throws IOException {
    try (Management _ = cluster;
        Unreachable _ = network;
        OperatorProcess _ = operator;
        ReadyPods _ = kubelet) {
      planes.clear();
    }
  }
}
