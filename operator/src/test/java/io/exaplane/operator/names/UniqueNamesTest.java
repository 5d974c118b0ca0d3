// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.ReservedNames;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.api.v1alpha1.StoreShard;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Line 10: among names that the schema admits, no two owners come to the same object. Names of up
 * to four words are put together, of the words that names of objects have. Objects that collide
 * begin with the same word, so that long names begin with few; {@code -DeveryWord=true} has all.
 */
class UniqueNamesTest {
  private static final List<String> WORDS =
      List.of(
          "a",
          "store",
          "front",
          "proxy",
          "tree",
          "ca",
          "tls",
          "pki",
          "controller",
          "manager",
          "apiserver",
          "scheduler",
          "service",
          "account",
          "admin",
          "kubeconfig",
          "tuning",
          "root",
          "relay",
          "shard",
          "fallback",
          "revision",
          "node",
          "join",
          "bundle",
          "default",
          "0",
          "1");

  /** Words that rules know at the beginning, and one that none knows. */
  private static final Set<String> FIRST_OF_THREE =
      Boolean.getBoolean("everyWord")
          ? Set.copyOf(WORDS)
          : Set.of("a", "front", "controller", "apiserver", "store", "shard");

  private static final List<String> COMPONENTS =
      List.of(
          ControlPlaneNames.API_SERVER,
          ControlPlaneNames.CONTROLLER_MANAGER,
          ControlPlaneNames.SCHEDULER);

  private final Map<String, String> owners = new HashMap<>();
  private final Set<String> collisions = new TreeSet<>();

  @Test
  void admittedNamesNeverCollide() {
    walk(names(WORDS), _ -> false);
    assertThat(owners).hasSizeGreaterThan(100_000);
    assertThat(collisions).isEmpty();
  }

  /**
   * Each ending is reserved because something collides without it. All that can collide then begins
   * with the same word.
   */
  @TestFactory
  Stream<DynamicTest> withoutOneRuleTheyDo() {
    Map<String, Predicate<String>> rules = new HashMap<>();
    for (String ending : List.of("store", "front-proxy", "tree")) {
      rules.put("control plane -" + ending, name -> name.equals("cp:a-" + ending));
    }
    for (String store :
        List.of("apiserver", "manager", "scheduler", "root", "relay", "shard", "0", "a-default")) {
      rules.put("store " + store, name -> name.equals("store:" + store));
    }
    for (String ending :
        List.of(
            "apiserver", "controller-manager", "scheduler", "root", "relay", "shard", "root-1")) {
      rules.put("shard -" + ending, name -> name.equals("shard:a-" + ending));
    }
    return rules.entrySet().stream()
        .map(
            rule ->
                DynamicTest.dynamicTest(
                    rule.getKey(),
                    () -> {
                      UniqueNamesTest other = new UniqueNamesTest();
                      other.walk(names(List.of("a")), rule.getValue());
                      assertThat(other.collisions).isNotEmpty();
                    }));
  }

  /** What a control plane from before the rules would need under other names. */
  @TestFactory
  Stream<DynamicTest> ofAReservedControlPlaneFewObjectsCollide() {
    return Map.of(
            "store",
            Set.of("Secret/a-store-ca", "ConfigMap/a-store-bundle"),
            "front-proxy",
            Set.of("Secret/a-front-proxy-ca"),
            "tree",
            Set.of("Secret/a-tree-ca", "ConfigMap/a-tree-bundle"))
        .entrySet()
        .stream()
        .map(
            each ->
                DynamicTest.dynamicTest(
                    each.getKey(),
                    () -> {
                      UniqueNamesTest other = new UniqueNamesTest();
                      other.walk(names(List.of("a")), name -> name.equals("cp:a-" + each.getKey()));
                      assertThat(other.collisions)
                          .extracting(text -> text.substring(0, text.indexOf(':')))
                          .containsExactlyInAnyOrderElementsOf(each.getValue());
                    }));
  }

  /** Hashes are no words, so that the names of these Services are not among those above. */
  @Test
  void theServiceOfAResourceIsNobodyElses() {
    ResourceRef leases = new ResourceRef("coordination.k8s.io", "leases");
    String route = new ControlPlaneNames("demo").route(leases);
    assertThat(route).matches("demo-leases-[0-9a-f]{10}-route");
    assertThat(ReservedNames.isOfStoreShard(route)).isTrue();
    assertThat(ReservedNames.isOfStore("route")).isTrue();
    assertThat(new ControlPlaneNames("demo").route(new ResourceRef("", "leases")))
        .isNotEqualTo(route);
    assertThat(new ControlPlaneNames("demo-leases").route(leases)).isNotEqualTo(route);
    String longest = "a".repeat(40);
    String kind = "validatingadmissionpolicybindings";
    assertThat(new ControlPlaneNames(longest).route(new ResourceRef("", kind)))
        .hasSizeLessThanOrEqualTo(63)
        .isNotEqualTo(new ControlPlaneNames(longest).route(new ResourceRef("a", kind)));
  }

  /**
   * Makes the objects of all owners.
   *
   * @param names of control planes, stores and pools
   * @param also names that are let through though they are reserved
   */
  private void walk(List<String> names, Predicate<String> also) {
    List<String> stores =
        Stream.concat(WORDS.stream(), Stream.of("a-default"))
            .filter(s -> !ReservedNames.isOfStore(s) || also.test("store:" + s))
            .toList();
    names.stream()
        .filter(n -> !ReservedNames.isOfControlPlane(n) || also.test("cp:" + n))
        .forEach(name -> controlPlane(name, stores));
    names.stream()
        .filter(n -> !ReservedNames.isOfStoreShard(n) || also.test("shard:" + n))
        .forEach(this::shard);
    names.forEach(this::pool);
    names.forEach(this::nodePool);
  }

  /** Up to three words, of which the first is a letter's: enough for each pair of endings. */
  private static List<String> names(List<String> first) {
    List<String> last = first.stream().filter(w -> !Character.isDigit(w.charAt(0))).toList();
    Set<String> all = new LinkedHashSet<>(last);
    for (int words = 2; words <= 3; words++) {
      List<String> longer = new ArrayList<>();
      boolean isLong = words == 3;
      last.stream()
          .filter(name -> !isLong || FIRST_OF_THREE.contains(name.split("-")[0]))
          .forEach(name -> WORDS.forEach(word -> longer.add(name + "-" + word)));
      all.addAll(longer);
      last = longer;
    }
    return List.copyOf(all);
  }

  private void controlPlane(String name, List<String> stores) {
    String owner = "ControlPlane " + name;
    ControlPlaneNames names = new ControlPlaneNames(name);
    for (String component : COMPONENTS) {
      add(owner, "Service", names.component(component));
      add(owner, "Deployment", names.component(component));
      add(owner, "PodDisruptionBudget", names.component(component));
      add(owner, "Secret", names.componentSecret(component));
    }
    add(owner, "ConfigMap", names.tuning());
    add(owner, "ConfigMap", names.bundle());
    add(owner, "Secret", names.adminKubeconfig());
    names.longLivedSecrets().forEach(secret -> add(owner, "Secret", secret));
    for (String store : stores) {
      add(owner, "StoreShard", names.shard(store));
      add(owner, "Secret", names.shardSecret(store));
      shard(names.shard(store));
    }
  }

  /** The objects of one owner. An owner is known by the kind and the name. */
  private void shard(String name) {
    String owner = "StoreShard " + name;
    for (String kind : List.of("Service", "StatefulSet", "PodDisruptionBudget")) {
      add(owner, kind, name);
    }
    add(owner, "ConfigMap", name + "-revision");
    StoreShard shard = new StoreShard();
    shard.setMetadata(new ObjectMetaBuilder().withName(name).build());
    add(owner, "ConfigMap", StoreNames.bundle(shard));
    add(owner, "Pod", name + "-0");
    add(owner, "PersistentVolumeClaim", "data-" + name + "-0");
  }

  private void pool(String name) {
    String owner = "SchedulerPool " + name;
    SchedulerPool pool = new SchedulerPool();
    pool.setMetadata(new ObjectMetaBuilder().withName(name).build());
    PoolNames names = new PoolNames(pool);
    for (Tier tier : Tier.values()) {
      add(owner, "StatefulSet", names.of(tier));
      add(owner, "PodDisruptionBudget", names.of(tier));
      for (String member : names.members(tier, 2)) {
        add(owner, "Service", member);
        add(owner, "Pod", member);
      }
    }
    add(owner, "Deployment", names.fallback());
    add(owner, "Secret", names.treeCa());
    add(owner, "ConfigMap", names.bundle());
    add(owner, "Secret", names.treeSecret());
  }

  private void nodePool(String name) {
    NodePool pool = new NodePool();
    pool.setMetadata(new ObjectMetaBuilder().withName(name).build());
    add("NodePool " + name, "Secret", new NodePoolNames(pool).joinSecret());
  }

  private void add(String owner, String kind, String name) {
    String other = owners.putIfAbsent(kind + "/" + name, owner);
    if (other != null && !other.equals(owner)) {
      collisions.add("%s/%s: %s and %s".formatted(kind, name, other, owner));
    }
  }
}
