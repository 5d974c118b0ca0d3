// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import static io.exaplane.operator.controlplane.sizing.Sizes.SMALL;
import static io.exaplane.operator.controlplane.sizing.Sizes.made;
import static io.exaplane.operator.controlplane.sizing.Sizes.shards;
import static io.exaplane.operator.controlplane.sizing.Sizes.sized;
import static io.exaplane.operator.controlplane.sizing.Sizes.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.Fixtures;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Critical stores are guaranteed. */
class StoreGuaranteeTest {
  @ParameterizedTest
  @CsvSource({
    "1,       250m, 1Gi",
    "100,     250m, 1Gi",
    "101,     1,    2Gi",
    "1000,    1,    3Gi",
    "1001,    2,    4Gi",
    "10000,   2,    19Gi",
  })
  void aStoreThatIsMadeIsGuaranteedWhatItsSizeTakes(int nodes, String cpu, String memory) {
    Sized sized = made(spec(nodes), List.of());
    Map<String, Quantity> all = Map.of("cpu", new Quantity(cpu), "memory", new Quantity(memory));
    assertThat(store(sized, "default").getRequests()).isEqualTo(all);
    assertThat(store(sized, "default").getLimits()).isEqualTo(all);
    assertThat(store(sized, "events")).as("events may be lost").isNull();
    assertThat(sized.problems()).isEmpty();
  }

  @Test
  void eachStoreOfALargeOneIsGuaranteedItsPart() {
    Sized sized = made(spec(60_000), List.of());
    for (String store : List.of("default", "leases", "pods", "nodes")) {
      assertThat(isGuaranteed(store(sized, store))).as(store).isTrue();
      assertThat(store(sized, store).getLimits()).containsEntry("cpu", new Quantity("4"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // what the user says | cpu | memory | guaranteed
        "limits: {memory: 3Gi}                                 | 250m | 3Gi | true",
        "limits: {memory: 3Gi}, requests: {memory: 3Gi}        | 250m | 3Gi | true",
        "limits: {memory: 3Gi, cpu: 2}                         | 2    | 3Gi | true",
        "limits: {cpu: 2}                                      | 2    | 1Gi | true",
        "limits: {cpu: 2}, requests: {cpu: 2}                  | 2    | 1Gi | true",
        "requests: {memory: 3Gi}                               |      |     | false",
        "limits: {memory: 3Gi}, requests: {memory: 1Gi}        |      | 3Gi | false",
        "requests: {cpu: 2}                                    |      | 4Gi | false",
        "limits: {cpu: 2}, requests: {cpu: 1}                  | 2    | 4Gi | false",
      })
  void ofEachAmountTheUserHasTheLastWord(
      String own, String cpu, String memory, boolean guaranteed) {
    Sized sized = made(ofUser(own), List.of());
    ResourceRequirements made = store(sized, "default");
    assertThat(isGuaranteed(made)).as(made.toString()).isEqualTo(guaranteed);
    assertThat(limit(made, "cpu")).isEqualTo(cpu == null ? null : new Quantity(cpu));
    assertThat(limit(made, "memory")).isEqualTo(memory == null ? null : new Quantity(memory));
    assertThat(store(made(ofUser(own), shards(sized)), "default"))
        .as("a next look changes nothing")
        .isEqualTo(made);
  }

  /** One pod: other requests would replace it. */
  @Test
  void aStoreFromBeforeKeepsWhatItHas() {
    List<StoreShard> old = shards(made(spec(100), List.of()));
    old.forEach(shard -> shard.setSpec(Sizes.shardSpec(null)));
    assertThat(store(made(spec(100), old), "default")).isNull();
    ResourceRequirements limited =
        new ResourceRequirementsBuilder()
            .addToRequests("cpu", new Quantity("50m"))
            .addToRequests("memory", new Quantity("19Gi"))
            .addToLimits("memory", new Quantity("19Gi"))
            .build();
    old.forEach(shard -> shard.setSpec(Sizes.shardSpec(limited)));
    assertThat(store(made(spec(100), old), "default")).isEqualTo(limited);
    ResourceRequirements own =
        new ResourceRequirementsBuilder().addToLimits("memory", new Quantity("6Gi")).build();
    old.forEach(shard -> shard.setSpec(Sizes.shardSpec(own)));
    assertThat(store(made(ofUser("limits: {memory: 6Gi}"), old), "default")).isEqualTo(own);
  }

  @Test
  void coresThatWereGuaranteedStayWhateverBecomesOfTheCluster() {
    List<StoreShard> shards = shards(made(spec(100), List.of()));
    assertThat(store(made(spec(10_000), shards), "default").getLimits())
        .containsEntry("cpu", new Quantity("250m"))
        .containsEntry("memory", new Quantity("1Gi"));
    Sized named = made(ofUser("limits: {memory: 8Gi}"), shards);
    assertThat(store(named, "default").getLimits())
        .containsEntry("cpu", new Quantity("250m"))
        .containsEntry("memory", new Quantity("8Gi"));
    assertThat(limit(store(made(ofUser("limits: {cpu: 2}"), shards), "default"), "cpu"))
        .isEqualTo(new Quantity("2"));
  }

  /** A pod that no node takes would be worse than one that is not Guaranteed. */
  @Test
  void whatNoNodeCarriesIsNotGuaranteed() {
    Sized sized = sized(spec(60_000), List.of(), Map.of(), () -> List.of(SMALL));
    assertThat(store(sized, "default")).isNull();
    assertThat(store(sized(spec(100), List.of(), Map.of(), () -> List.of(SMALL)), "default"))
        .matches(StoreGuaranteeTest::isGuaranteed);
    assertThat(store(sized(spec(60_000), List.of(), Map.of(), List::of), "default"))
        .as("a node that an autoscaler makes may carry it")
        .matches(StoreGuaranteeTest::isGuaranteed);
  }

  private static ControlPlane ofUser(String own) {
    return Fixtures.controlPlane(
        "{version: 1.36.3, maxNodes: 100, storage: {stores: [{name: default, resources: {%s}}]}}"
            .formatted(own));
  }

  /** As Kubernetes has it: a limit without a request is a request, too. */
  private static boolean isGuaranteed(ResourceRequirements resources) {
    return List.of("cpu", "memory").stream()
        .allMatch(
            amount -> {
              Quantity limit = limit(resources, amount);
              Quantity request =
                  resources.getRequests() == null ? null : resources.getRequests().get(amount);
              return limit != null && (request == null || request.equals(limit));
            });
  }

  private static Quantity limit(ResourceRequirements resources, String amount) {
    return resources.getLimits() == null ? null : resources.getLimits().get(amount);
  }

  private static ResourceRequirements store(Sized sized, String name) {
    return StorageSpec.stores(sized.controlPlane().spec().storage()).stream()
        .filter(store -> store.name().equals(name))
        .findFirst()
        .orElseThrow()
        .resources();
  }
}
