// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.dependent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.names.StoreNames;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Line 32: a backup tool puts a control plane and its children back in any order, and the operator
 * looks at any time. Whoever was put back stays the object that it is and gets its owner; what the
 * operator or the garbage collector was quicker with is there once.
 */
class RestoredChildrenTest {
  private static final int ORDERS = Integer.getInteger("seeds", 4);
  private static final String MARK = "restored";

  /** What a backup tool leaves in owner references. */
  private enum Owners {
    NONE,
    OLD_UIDS,
    OLD_UIDS_AND_A_COLLECTOR
  }

  private static final Map<String, Class<? extends HasMetadata>> KINDS =
      Map.of(
          "Deployment", Deployment.class,
          "StatefulSet", StatefulSet.class,
          "PodDisruptionBudget", PodDisruptionBudget.class,
          "Service", Service.class,
          "ConfigMap", ConfigMap.class,
          "StoreShard", StoreShard.class);

  private static final ControlPlane CONTROL_PLANE =
      Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1}");

  @ParameterizedTest
  @EnumSource
  void inAnyOrder(Owners owners) throws Exception {
    try (MemoryApi api = new MemoryApi()) {
      for (int seed = 0; seed < ORDERS; seed++) {
        Random random = new Random(seed);
        api.objects().clear();
        Set<String> kept = restore(api, owners, random);
        look(api, true);
        int made = api.created();
        look(api, true);
        assertThat(api.created()).as("seed %d: a second look", seed).isEqualTo(made);
        assertThat(api.objects()).as("seed %d", seed).hasSize(all().size());
        api.objects()
            .forEach(
                (path, object) -> {
                  assertThat(owner(object)).as(path).hasSize(1);
                  assertThat(owner(object).getFirst().path("uid").asText())
                      .as("owner of %s", path)
                      .isEqualTo(ownerUid(api, path));
                });
        for (String path : kept) {
          assertThat(isMarked(api.objects().get(path)))
              .as("seed %d: %s is the one that was put back", seed, path)
              .isTrue();
        }
      }
    }
  }

  /** Puts everything back; gives the paths of what was put back and not collected. */
  private static Set<String> restore(MemoryApi api, Owners owners, Random random) {
    List<HasMetadata> steps = new ArrayList<>(all().values());
    steps.add(null); // the ControlPlane
    Collections.shuffle(steps, random);
    boolean controlPlane = false;
    Set<String> kept = new HashSet<>();
    for (HasMetadata step : steps) {
      if (step == null) {
        controlPlane = true;
      } else {
        put(api, backup(step, owners));
      }
      if (random.nextBoolean()) {
        look(api, controlPlane);
      }
      if (owners == Owners.OLD_UIDS_AND_A_COLLECTOR && random.nextInt(4) == 0) {
        collect(api);
      }
    }
    api.objects()
        .forEach(
            (path, object) -> {
              if (isMarked(object)) {
                kept.add(path);
              }
            });
    return kept;
  }

  /** One look of the operator at the control plane, and at each store that there is. */
  private static void look(MemoryApi api, boolean controlPlane) {
    if (controlPlane) {
      childrenOfControlPlane()
          .forEach(child -> Adoption.create(child, CONTROL_PLANE, api.client(), w -> make(api, w)));
    }
    for (String store : List.of("demo-default", "demo-events")) {
      StoreShard shard =
          api.client().resources(StoreShard.class).inNamespace("ns").withName(store).get();
      if (shard != null) {
        childrenOfStore(store)
            .forEach(
                child -> Adoption.create(child, shard, api.client(), w -> make(api, w, shard)));
      }
    }
  }

  private static HasMetadata make(MemoryApi api, HasMetadata wanted) {
    return make(api, wanted, CONTROL_PLANE);
  }

  /** As the SDK does: an object that is there is its own, and is left. */
  private static HasMetadata make(MemoryApi api, HasMetadata wanted, HasMetadata owner) {
    HasMetadata there = api.client().resource(wanted).get();
    if (there != null) {
      return there;
    }
    own(wanted, owner.getKind(), owner.getMetadata().getName(), owner.getMetadata().getUid());
    return api.client().resource(wanted).create();
  }

  /** A backup tool leaves what is there as it is. */
  private static void put(MemoryApi api, HasMetadata object) {
    try {
      api.client().resource(object).create();
    } catch (KubernetesClientException e) {
      assertThat(e.getCode()).isEqualTo(409);
    }
  }

  private static HasMetadata backup(HasMetadata object, Owners owners) {
    object.getMetadata().setAnnotations(Map.of(MARK, "true"));
    if (owners != Owners.NONE) {
      boolean ofStore = object.getMetadata().getLabels().containsKey(StoreNames.SHARD_LABEL);
      own(
          object,
          ofStore ? "StoreShard" : "ControlPlane",
          ofStore ? object.getMetadata().getLabels().get(StoreNames.SHARD_LABEL) : "demo",
          "dead");
    }
    return object;
  }

  /** What the garbage collector does to an object none of whose owners is there. */
  private static void collect(MemoryApi api) {
    api.objects()
        .values()
        .removeIf(
            object ->
                !owner(object).isEmpty()
                    && owner(object).stream()
                        .allMatch(reference -> reference.path("uid").asText().equals("dead")));
  }

  private static boolean isMarked(ObjectNode object) {
    return object.path("metadata").path("annotations").has(MARK);
  }

  private static List<JsonNode> owner(ObjectNode object) {
    List<JsonNode> all = new ArrayList<>();
    object.path("metadata").path("ownerReferences").forEach(all::add);
    return all;
  }

  private static String ownerUid(MemoryApi api, String path) {
    String store =
        api.objects()
            .get(path)
            .path("metadata")
            .path("labels")
            .path(StoreNames.SHARD_LABEL)
            .asText();
    return store.isEmpty()
        ? CONTROL_PLANE.getMetadata().getUid()
        : api.objects()
            .get("/apis/exaplane.io/v1alpha1/namespaces/ns/storeshards/" + store)
            .path("metadata")
            .path("uid")
            .asText();
  }

  private static Map<String, HasMetadata> all() {
    Map<String, HasMetadata> all = new LinkedHashMap<>();
    List<HasMetadata> children = new ArrayList<>(childrenOfControlPlane());
    children.addAll(childrenOfStore("demo-default"));
    children.addAll(childrenOfStore("demo-events"));
    children.forEach(c -> all.put(c.getKind() + "/" + c.getMetadata().getName(), c));
    return all;
  }

  private static List<HasMetadata> childrenOfControlPlane() {
    ControlPlaneNames names = new ControlPlaneNames(CONTROL_PLANE);
    List<HasMetadata> children = new ArrayList<>();
    for (String component :
        List.of(
            ControlPlaneNames.API_SERVER,
            ControlPlaneNames.CONTROLLER_MANAGER,
            ControlPlaneNames.SCHEDULER)) {
      Map<String, String> labels = names.labels(component);
      children.add(object("apps/v1", "Deployment", names.component(component), labels));
      children.add(object("policy/v1", "PodDisruptionBudget", names.component(component), labels));
    }
    children.add(
        object(
            "v1",
            "Service",
            names.component(ControlPlaneNames.API_SERVER),
            names.labels(ControlPlaneNames.API_SERVER)));
    children.add(object("v1", "ConfigMap", names.tuning(), names.labels()));
    for (String store : List.of("default", "events")) {
      Map<String, String> labels = new TreeMap<>(names.labels());
      labels.put(ControlPlaneNames.STORE_LABEL, store);
      children.add(object("exaplane.io/v1alpha1", "StoreShard", names.shard(store), labels));
    }
    return children;
  }

  private static List<HasMetadata> childrenOfStore(String store) {
    StoreShard shard = new StoreShard();
    shard.getMetadata().setName(store);
    Map<String, String> labels = StoreNames.labels(shard);
    return List.of(
        object("v1", "Service", store, labels),
        object("apps/v1", "StatefulSet", store, labels),
        object("policy/v1", "PodDisruptionBudget", store, labels),
        object("v1", "ConfigMap", store + "-revision", labels));
  }

  private static void own(HasMetadata object, String kind, String name, String uid) {
    object
        .getMetadata()
        .setOwnerReferences(
            List.of(
                new OwnerReferenceBuilder()
                    .withApiVersion("exaplane.io/v1alpha1")
                    .withKind(kind)
                    .withName(name)
                    .withUid(uid)
                    .withController(true)
                    .build()));
  }

  private static HasMetadata object(
      String apiVersion, String kind, String name, Map<String, String> labels) {
    HasMetadata object =
        Serialization.unmarshal(
            "apiVersion: %s\nkind: %s\nmetadata: {name: %s, namespace: ns}\n"
                .formatted(apiVersion, kind, name),
            KINDS.get(kind));
    object.getMetadata().setLabels(new TreeMap<>(labels));
    return object;
  }
}
