// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.RotationPhase;
import io.exaplane.api.v1alpha1.RotationStatus;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.e2e.chaos.Step;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Carries out the steps of chaos on a control plane. */
final class ChaosHands {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration PHASE = Duration.ofMinutes(10);
  private static final String OPERATOR_IMAGE = "EXAPLANE_OPERATOR_IMAGE";
  private static final int LARGE_WRITES = 20;
  private static final int LARGE_BYTES = 500_000;
  private static final List<String> KEYS =
      List.of("ca", "front-proxy-ca", "store-ca", "service-account");

  private final Scratch scratch;
  private final Random random;
  private final SmallDisk disk;
  private final String host;

  /** Each patch of a component is another one than its last. */
  private final Map<String, Integer> verbosities = new HashMap<>();

  /**
   * For a control plane.
   *
   * @param host that joined its cluster; null for none
   */
  ChaosHands(Scratch scratch, Random random, SmallDisk disk, String host) {
    this.scratch = scratch;
    this.random = random;
    this.disk = disk;
    this.host = host;
  }

  /** Does it; returns what is to be done when the conditions have told it. */
  Runnable act(Step step) {
    return switch (step) {
      case KILL_API_SERVER -> kill("apiserver");
      case KILL_CONTROLLER_MANAGER -> kill("controller-manager");
      case KILL_SCHEDULER -> kill("scheduler");
      case KILL_STORE -> killStore("default");
      case KILL_EVENTS_STORE -> killStore("events");
      case PAUSE_STORE -> pause("default");
      case PAUSE_EVENTS_STORE -> pause("events");
      case FILL_DISK -> fill();
      case RENEW_CERTIFICATES -> deleteOne(Secret.class);
      case DELETE_CONFIG_MAP -> deleteOne(ConfigMap.class);
      case DELETE_BUDGET -> deleteOne(PodDisruptionBudget.class);
      case DELETE_SERVICE -> deleteOne(Service.class);
      case DELETE_API_SERVERS -> deleteDeployment("apiserver");
      case DELETE_CONTROLLER_MANAGER -> deleteDeployment("controller-manager");
      case DELETE_STORE -> deleteStatefulSet();
      case DELETE_SHARD -> deleteShard();
      case LOSE_KEYS -> loseKeys();
      case SCALE -> scale();
      case PATCH_SCHEDULER -> patch("scheduler");
      case PATCH_API_SERVERS -> patch("apiServer");
      case RESTART_OPERATOR -> restartOperator();
      case UPGRADE_OPERATOR -> upgradeOperator();
      case GROW -> spec("{\"maxNodes\":100}");
      case UPGRADE -> spec("{\"version\":\"%s\"}".formatted(Bed.VERSION));
      case CUT_HOST -> cut();
      case ROTATE_KEYS -> rotate();
      case MOVE_LEASES -> move();
    };
  }

  private static Runnable nothing() {
    return () -> {};
  }

  private Runnable kill(String component) {
    List<String> pods =
        Bed.pods(scratch.name, scratch.namespace, component).stream()
            .map(pod -> pod.getMetadata().getName())
            .toList();
    return killPod(pods.get(random.nextInt(pods.size())));
  }

  private Runnable killStore(String store) {
    Runnable another = awaitsAnotherPod(scratch.name + "-" + store);
    killPod(scratch.name + "-" + store + "-0");
    return another;
  }

  private Runnable killPod(String name) {
    System.out.println("  pod " + name);
    Bed.CLIENT.pods().inNamespace(scratch.namespace).withName(name).withGracePeriod(0).delete();
    return nothing();
  }

  private Runnable pause(String store) {
    String name = scratch.name + "-" + store;
    StoreProcess.signal(name, scratch.namespace, "STOP");
    return () -> StoreProcess.signal(name, scratch.namespace, "CONT");
  }

  /** And more than the store's files have room for: the store makes them larger in advance. */
  private Runnable fill() {
    disk.fill();
    ConfigMap large =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName("large")
            .withNamespace("default")
            .endMetadata()
            .build();
    for (int write = 0; write < LARGE_WRITES; write++) {
      large.setData(Map.of("data", write + "x".repeat(LARGE_BYTES)));
      boolean written =
          Hosted.holds(
              () -> {
                scratch.client().resource(large).forceConflicts().serverSideApply();
                return true;
              });
      if (!written) {
        return disk::free;
      }
    }
    throw new AssertionError("the store has more room than its disk");
  }

  /** One that belongs to the control plane or to a store of it, and that must come back. */
  private <T extends HasMetadata> Runnable deleteOne(Class<T> kind) {
    List<T> owned =
        Bed.CLIENT.resources(kind).inNamespace(scratch.namespace).list().getItems().stream()
            .filter(
                object ->
                    object.getMetadata().getOwnerReferences().stream()
                        .anyMatch(
                            owner ->
                                List.of("ControlPlane", "StoreShard").contains(owner.getKind())))
            .sorted(Comparator.comparing(object -> object.getMetadata().getName()))
            .toList();
    T chosen = owned.get(random.nextInt(owned.size()));
    System.out.println("  " + chosen.getKind() + " " + chosen.getMetadata().getName());
    return delete(chosen);
  }

  private Runnable delete(HasMetadata object) {
    Bed.CLIENT.resource(object).delete();
    return () ->
        Bed.await(
            "%s %s comes back".formatted(object.getKind(), object.getMetadata().getName()),
            PATIENCE,
            () -> {
              HasMetadata now = Bed.CLIENT.resource(object).get();
              return now != null
                  && !now.getMetadata().getUid().equals(object.getMetadata().getUid());
            });
  }

  private Runnable deleteDeployment(String component) {
    return delete(
        Bed.CLIENT
            .apps()
            .deployments()
            .inNamespace(scratch.namespace)
            .withName(scratch.name + "-" + component)
            .get());
  }

  /** The pod that is there now is followed by one that is ready. */
  private Runnable awaitsAnotherPod(String store) {
    String uid = StoreProcess.pod(store, scratch.namespace).getMetadata().getUid();
    return () ->
        Bed.await(
            "another pod of " + store,
            PATIENCE,
            () -> {
              Pod now = StoreProcess.pod(store, scratch.namespace);
              return now != null
                  && !now.getMetadata().getUid().equals(uid)
                  && now.getStatus().getConditions().stream()
                      .anyMatch(
                          each ->
                              each.getType().equals("Ready") && each.getStatus().equals("True"));
            });
  }

  private Runnable deleteStatefulSet() {
    Runnable another = awaitsAnotherPod(scratch.name + "-default");
    delete(
        Bed.CLIENT
            .apps()
            .statefulSets()
            .inNamespace(scratch.namespace)
            .withName(scratch.name + "-default")
            .get());
    return another;
  }

  private Runnable deleteShard() {
    var shard =
        Bed.CLIENT
            .resources(StoreShard.class)
            .inNamespace(scratch.namespace)
            .withName(scratch.name + "-default");
    Bed.awaitHolds(
        PATIENCE,
        () -> {
          String refusal = "";
          try {
            shard.delete();
          } catch (KubernetesClientException refused) {
            refusal = refused.getMessage();
          }
          assertThat(shard.get().getMetadata().getDeletionTimestamp()).isNull();
          assertThat(refusal).contains("exaplane.io/allow-deletion");
        });
    return nothing();
  }

  private Runnable loseKeys() {
    String name = scratch.name + "-" + KEYS.get(random.nextInt(KEYS.size()));
    System.out.println("  Secret " + name);
    Secret backup = Bed.CLIENT.secrets().inNamespace(scratch.namespace).withName(name).get();
    Bed.CLIENT.resource(backup).delete();
    return () -> {
      backup.getMetadata().setResourceVersion(null);
      backup.getMetadata().setUid(null);
      Bed.CLIENT.resource(backup).create();
    };
  }

  private Runnable scale() {
    Bed.kubectl("--namespace=" + scratch.namespace, "scale", "cpl", scratch.name, "--replicas=3");
    return () ->
        Bed.kubectl(
            "--namespace=" + scratch.namespace, "scale", "cpl", scratch.name, "--replicas=2");
  }

  private Runnable patch(String component) {
    int verbosity = verbosities.merge(component, 1, (was, _) -> was % 5 + 1);
    return spec(
        "{\"%s\":{\"extraArgs\":[{\"name\":\"v\",\"value\":\"%d\"}]}}"
            .formatted(component, verbosity));
  }

  private Runnable spec(String change) {
    Demo.patch(scratch.name, scratch.namespace, "{\"spec\":" + change + "}");
    return nothing();
  }

  private Runnable restartOperator() {
    patch("scheduler");
    Bed.kubectl(
        "--namespace=" + Bed.OPERATOR_NAMESPACE,
        "delete",
        "pods",
        "--all",
        "--force",
        "--grace-period=0");
    return () -> Bed.awaitLeader(PATIENCE);
  }

  /** The other operator has its own image by its digest, which is another bundle. */
  private Runnable upgradeOperator() {
    String shipped = Operator.variable(OPERATOR_IMAGE);
    List<String> templates = storeTemplates();
    patch("scheduler");
    Operator.set(OPERATOR_IMAGE, shipped + Operator.digest());
    return () -> {
      assertThat(storeTemplates()).as("the other operator writes none").isEqualTo(templates);
      Operator.set(OPERATOR_IMAGE, shipped);
      Bed.awaitCondition(
          scratch.name,
          scratch.namespace,
          ConditionType.OperatorUpdatePending,
          Condition.FALSE,
          PATIENCE);
    };
  }

  private List<String> storeTemplates() {
    return Bed.CLIENT
        .apps()
        .statefulSets()
        .inNamespace(scratch.namespace)
        .list()
        .getItems()
        .stream()
        .map(set -> Serialization.asYaml(set.getSpec().getTemplate()))
        .sorted()
        .toList();
  }

  private Runnable cut() {
    String way = "--net=/var/run/netns/exa-" + host;
    List.of(
            "add table inet exaplane_cut",
            "add chain inet exaplane_cut way { type filter hook output priority 0 ; policy drop ; }")
        .forEach(
            command ->
                assertThat(Bed.run(List.of("nsenter", way, "nft", command)).exit())
                    .as(command)
                    .isZero());
    return () -> {
      awaitNode(false);
      Bed.run(List.of("nsenter", way, "nft", "delete table inet exaplane_cut"));
      awaitNode(true);
    };
  }

  private void awaitNode(boolean ready) {
    Bed.await(
        "the node is ready: " + ready,
        PATIENCE,
        () ->
            scratch.client().nodes().withName(host).get().getStatus().getConditions().stream()
                .anyMatch(
                    each ->
                        each.getType().equals("Ready")
                            && each.getStatus().equals("True") == ready));
  }

  /**
   * The host joins anew, as docs/certificates.md has it for nodes. A rotation before this one is
   * taken out of the spec first.
   */
  private Runnable rotate() {
    spec("{\"pki\":{\"rotation\":null}}");
    for (RotationPhase phase : List.of(RotationPhase.Prepared, RotationPhase.Completed)) {
      String wish = phase == RotationPhase.Prepared ? "Prepare" : "Complete";
      spec(
          "{\"pki\":{\"rotation\":{\"ca\":\"%1$s\",\"serviceAccountKey\":\"%1$s\"}}}"
              .formatted(wish));
      Bed.await("both keys are " + phase, PHASE, () -> isRotated(phase));
    }
    return () -> {
      Bed.exa("host", "remove", host);
      scratch.client().nodes().withName(host).delete();
      Bed.exa("host", "add", host, scratch.name + "." + scratch.namespace);
    };
  }

  /** To the store beside the default one, and back when the conditions have told it. */
  private Runnable move() {
    ReshardTask there = reshard("there", ChaosE2E.OTHER_STORE);
    return () -> {
      there.awaitSuccess(PHASE);
      reshard("back", StorageSpec.DEFAULT_STORE).awaitSuccess(PHASE);
      StorageSpec storage = Bed.controlPlane(scratch.name, scratch.namespace).getSpec().storage();
      assertThat(StorageSpec.storeOf(storage.routes(), ReshardTask.LEASES))
          .isEqualTo(StorageSpec.DEFAULT_STORE);
    };
  }

  private ReshardTask reshard(String task, String toStore) {
    return ReshardTask.create(task, scratch.name, scratch.namespace, toStore);
  }

  private boolean isRotated(RotationPhase phase) {
    RotationStatus rotation =
        Bed.controlPlane(scratch.name, scratch.namespace).getStatus().rotation();
    return rotation != null
        && rotation.ca() != null
        && rotation.serviceAccountKey() != null
        && rotation.ca().phase() == phase
        && rotation.serviceAccountKey().phase() == phase;
  }
}
