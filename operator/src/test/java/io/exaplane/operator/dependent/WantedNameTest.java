// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.dependent;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.names.PoolNames;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.names.Tier;
import io.exaplane.operator.pki.Ownership;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Names are put together, and {@code demo} with {@code store-ca} is {@code demo-store} with {@code
 * ca}: whoever comes second gets nothing of the first.
 */
class WantedNameTest {
  private static final List<String> NAMES =
      List.of(
          "demo", "demo-store", "demo-front-proxy", "demo-a", "demo-a-b", "demo-tree", "demo-root");
  private static final List<String> STORES =
      List.of(
          "default",
          "a",
          "b",
          "a-b",
          "a-default",
          "root",
          "relay",
          "shard",
          "root-0",
          "a-apiserver",
          "x-tls");

  /** An object that somebody makes, and whether it goes with its owner. */
  private record Made(HasMetadata owner, String kind, ObjectMeta metadata) {
    String key() {
      return kind + "/" + metadata.getName();
    }
  }

  @Test
  void whatOneMadeNoOtherTakes() {
    Map<String, Made> first = new HashMap<>();
    int collisions = 0;
    List<Made> all = new ArrayList<>();
    NAMES.forEach(name -> all.addAll(ofControlPlane(name)));
    NAMES.forEach(name -> all.addAll(ofPool(name)));
    List.of("demo-default", "demo-apiserver", "demo-a", "demo-root")
        .forEach(n -> all.addAll(ofShard(n)));
    for (Made made : all) {
      Made other = first.putIfAbsent(made.key(), made);
      if (other == null || isSame(other.owner(), made.owner())) {
        continue;
      }
      collisions++;
      assertThat(mayTake(made, other)).as("%s of %s", made.key(), name(made.owner())).isFalse();
      assertThat(mayTake(other, made)).as("the other way round").isFalse();
    }
    assertThat(collisions).as("the generator finds what there is to find").isGreaterThan(20);
  }

  /**
   * Whether an object of the one is taken for the other's, from the object as it would be there.
   */
  private static boolean mayTake(Made wanted, Made there) {
    if (wanted.kind().equals("Secret")) {
      Secret secret = new SecretBuilder().withMetadata(there.metadata()).build();
      return Ownership.mayBecome(secret, wanted.owner(), wanted.metadata().getLabels());
    }
    return Adoption.judge(object(there.metadata()), object(wanted.metadata()), wanted.owner())
        != Adoption.Verdict.OF_OTHERS;
  }

  private static boolean isSame(HasMetadata one, HasMetadata other) {
    return one.getMetadata().getUid().equals(other.getMetadata().getUid());
  }

  private static String name(HasMetadata owner) {
    return owner.getKind() + " " + owner.getMetadata().getName();
  }

  private static List<Made> ofControlPlane(String name) {
    ControlPlane owner = new ControlPlane();
    owner.setMetadata(metadata(name, "ControlPlane"));
    ControlPlaneNames names = new ControlPlaneNames(owner);
    List<Made> made = new ArrayList<>();
    for (String component :
        List.of(
            ControlPlaneNames.API_SERVER,
            ControlPlaneNames.CONTROLLER_MANAGER,
            ControlPlaneNames.SCHEDULER)) {
      for (String kind : List.of("Service", "Deployment", "PodDisruptionBudget")) {
        made.add(owned(owner, kind, names.component(component), names.labels(component)));
      }
      made.add(owned(owner, "Secret", names.componentSecret(component), names.labels()));
    }
    made.add(owned(owner, "ConfigMap", names.tuning(), names.labels()));
    made.add(owned(owner, "Secret", names.adminKubeconfig(), names.labels()));
    names.longLivedSecrets().forEach(secret -> made.add(retained(owner, secret, names.labels())));
    for (String store : STORES) {
      Map<String, String> labels = new HashMap<>(names.labels());
      labels.put(ControlPlaneNames.STORE_LABEL, store);
      made.add(owned(owner, "StoreShard", names.shard(store), labels));
      made.add(owned(owner, "Secret", names.shardSecret(store), labels));
      made.addAll(ofStore(names.shard(store)));
    }
    return made;
  }

  /** One that a person made. */
  private static List<Made> ofShard(String name) {
    List<Made> made = new ArrayList<>(ofStore(name));
    StoreShard shard = shard(name);
    made.add(new Made(shard, "StoreShard", shard.getMetadata()));
    return made;
  }

  private static List<Made> ofStore(String name) {
    StoreShard owner = shard(name);
    List<Made> made = new ArrayList<>();
    for (String kind : List.of("Service", "StatefulSet", "PodDisruptionBudget")) {
      made.add(owned(owner, kind, name, StoreNames.labels(owner)));
    }
    made.add(owned(owner, "ConfigMap", name + "-revision", StoreNames.labels(owner)));
    return made;
  }

  private static StoreShard shard(String name) {
    StoreShard shard = new StoreShard();
    shard.setMetadata(metadata(name, "StoreShard"));
    return shard;
  }

  private static List<Made> ofPool(String name) {
    SchedulerPool owner = new SchedulerPool();
    owner.setMetadata(metadata(name, "SchedulerPool"));
    PoolNames names = new PoolNames(owner);
    List<Made> made = new ArrayList<>();
    for (Tier tier : Tier.values()) {
      made.add(owned(owner, "StatefulSet", names.of(tier), names.labels(tier)));
      made.add(owned(owner, "PodDisruptionBudget", names.of(tier), names.labels(tier)));
      names
          .members(tier, 3)
          .forEach(member -> made.add(owned(owner, "Service", member, names.labels(tier))));
    }
    made.add(owned(owner, "Deployment", names.fallback(), names.fallbackLabels()));
    made.add(owned(owner, "Secret", names.treeCa(), names.labels()));
    made.add(owned(owner, "Secret", names.treeSecret(), names.labels()));
    return made;
  }

  private static ObjectMeta metadata(String name, String kind) {
    return new ObjectMetaBuilder().withName(name).withUid(kind + " " + name).build();
  }

  private static Made owned(
      HasMetadata owner, String kind, String name, Map<String, String> labels) {
    return new Made(
        owner,
        kind,
        new ObjectMetaBuilder()
            .withName(name)
            .withLabels(labels)
            .addNewOwnerReference()
            .withApiVersion(owner.getApiVersion())
            .withKind(owner.getKind())
            .withName(owner.getMetadata().getName())
            .withUid(owner.getMetadata().getUid())
            .withController(true)
            .endOwnerReference()
            .build());
  }

  /** As CAs are, which outlive their control plane. */
  private static Made retained(HasMetadata owner, String name, Map<String, String> labels) {
    return new Made(
        owner,
        "Secret",
        new ObjectMetaBuilder()
            .withName(name)
            .withLabels(labels)
            .addToAnnotations(ControlPlaneNames.CONTROL_PLANE_UID, owner.getMetadata().getUid())
            .build());
  }

  private static HasMetadata object(ObjectMeta metadata) {
    return new ConfigMapBuilder().withMetadata(metadata).build();
  }
}
