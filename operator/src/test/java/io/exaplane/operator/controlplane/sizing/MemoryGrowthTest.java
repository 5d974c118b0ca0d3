// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import static io.exaplane.operator.controlplane.sizing.Sizes.LARGE;
import static io.exaplane.operator.controlplane.sizing.Sizes.SMALL;
import static io.exaplane.operator.controlplane.sizing.Sizes.shards;
import static io.exaplane.operator.controlplane.sizing.Sizes.sized;
import static io.exaplane.operator.controlplane.sizing.Sizes.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardStatus;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.render.Components;
import io.exaplane.operator.controlplane.render.Inputs;
import io.exaplane.operator.pod.NodeCapacity;
import io.exaplane.operator.status.Verdict;
import io.exaplane.tuning.version.Component;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of a kube-apiserver that is killed for its memory. */
class MemoryGrowthTest {
  private static final double GIB = 1L << 30;

  private static Optional<MemoryShortage> killed(String limit) {
    return Optional.of(
        new OutOfMemory(
            "demo-apiserver-1",
            "2026-11-26T10:00:00Z",
            Optional.ofNullable(limit).map(Quantity::new)));
  }

  @ParameterizedTest
  @CsvSource({
    // model, grown before, limit that was too small, GiB that loading takes: limit
    "3Gi,,, 2, 3Gi",
    "3Gi,,, 20, 3Gi",
    "3Gi,, 3Gi, 2, 6Gi",
    "3Gi,, 3Gi, 20, 20Gi",
    "3Gi,, 2Gi, 20, 3Gi",
    "3Gi, 6Gi,, 2, 6Gi",
    "3Gi, 6Gi, 3Gi, 20, 6Gi",
    "3Gi, 6Gi, 6Gi, 2, 12Gi",
    "8Gi, 6Gi,, 2, 8Gi",
    "8Gi, 6Gi, 6Gi, 20, 8Gi",
    "3Gi,, none, 20, 3Gi",
    "1536Mi,, 1536Mi, 1, 3Gi",
  })
  void aLimitThatWasTooSmallGivesALargerOneOnce(
      String model, String grown, String tooSmall, double loads, String limit) {
    MemoryGrowth growth =
        new MemoryGrowth(
            tooSmall == null ? Optional.empty() : killed(tooSmall.equals("none") ? null : tooSmall),
            Optional.ofNullable(grown).map(Quantity::new),
            GIB,
            loads * GIB);
    assertThat(growth.limits(new Quantity(model)).getFirst()).hasToString(limit);
  }

  @ParameterizedTest
  @CsvSource({"6Gi, true", "1536Mi, true", "6, false", "-6Gi, false", "much, false", "'', false"})
  void whatAnnotationsSayIsAnAmountOrNothing(String value, boolean is) {
    Deployment deployment =
        new DeploymentBuilder()
            .withNewMetadata()
            .addToAnnotations(MemoryGrowth.ANNOTATION, value)
            .endMetadata()
            .build();
    assertThat(MemoryGrowth.applied(deployment).isPresent()).isEqualTo(is);
  }

  /** From the kill to what runs, as the reconciler goes round. */
  @Test
  void aKillGivesTwiceTheMemoryOnceAndItStays() {
    Sized first = sized(spec(10), List.of(), Map.of(), () -> List.of(SMALL));
    Quantity small = limit(first);
    Map<Component, Container> running = Sizes.running(first);
    Sized grown = after(spec(10), running, killed(small.toString()), Optional.empty(), SMALL);
    double twice = 2 * small.getNumericalAmount().doubleValue();
    assertThat(limit(grown).getNumericalAmount().doubleValue()).isEqualTo(twice);
    assertThat(grown.apiServer().orElseThrow().environment())
        .containsEntry("GOGC", "100")
        .containsEntry("GOMEMLIMIT", (long) (0.85 * twice / (1 << 20)) + "MiB");
    Verdict verdict = SizingValidCondition.of(grown, "t");
    assertThat(verdict.met()).isFalse();
    assertThat(verdict.reason()).isEqualTo(Reason.OutOfMemory);
    assertThat(verdict.message())
        .contains(
            "pod demo-apiserver-1 was killed for its memory at 2026-11-26T10:00:00Z with a limit of"
                + " "
                + small,
            "the stores held 0 B when they were last asked",
            "gets a limit of " + limit(grown),
            "spec.apiServer.resources");
    // The pod of before is there for a while, and killed again.
    Sized again =
        after(spec(10), Sizes.running(grown), killed(small.toString()), grown(grown), SMALL);
    assertThat(again.apiServer()).isEqualTo(grown.apiServer());
    Sized later = after(spec(10), Sizes.running(grown), Optional.empty(), grown(grown), SMALL);
    assertThat(limit(later)).isEqualTo(limit(grown));
    verdict = SizingValidCondition.of(later, "t");
    assertThat(verdict.met()).isTrue();
    assertThat(verdict.reason()).isEqualTo(Reason.MemoryGrown);
    assertThat(verdict.message()).contains("keeps a limit of " + limit(grown));
  }

  /** The same before the first kill. */
  @Test
  void memoryThatFillsUpGivesTwiceTheMemoryOnceAndItStays() {
    Sized first = sized(spec(10), List.of(), Map.of(), () -> List.of(SMALL));
    Quantity small = limit(first);
    double had = small.getNumericalAmount().doubleValue();
    Optional<MemoryShortage> fills =
        Optional.of(
            new MemoryPressure(
                "demo-apiserver-1", Optional.of(small), (long) (0.9 * had), (long) (0.7 * had)));
    Sized grown = after(spec(10), Sizes.running(first), fills, Optional.empty(), SMALL);
    assertThat(limit(grown).getNumericalAmount().doubleValue()).isEqualTo(2 * had);
    Verdict verdict = SizingValidCondition.of(grown, "t");
    assertThat(verdict.met()).isFalse();
    assertThat(verdict.reason()).isEqualTo(Reason.MemoryScarce);
    assertThat(verdict.message())
        .contains(
            "pod demo-apiserver-1 uses ",
            " of its memory limit of " + small,
            "gets a limit of " + limit(grown),
            "spec.apiServer.resources");
    // Pods of before fill up until the last is replaced.
    assertThat(after(spec(10), Sizes.running(grown), fills, grown(grown), SMALL).apiServer())
        .isEqualTo(grown.apiServer());
    Sized later = after(spec(10), Sizes.running(grown), Optional.empty(), grown(grown), SMALL);
    assertThat(limit(later)).isEqualTo(limit(grown));
    assertThat(SizingValidCondition.of(later, "t").reason()).isEqualTo(Reason.MemoryGrown);
  }

  @Test
  void theUsersMemoryThatFillsUpIsNamedAndNotChanged() {
    ControlPlane own =
        Fixtures.controlPlane(
            "{version: 1.36.3, maxNodes: 10, apiServer: {resources: {limits: {memory: 2Gi}}}}");
    Sized first = sized(own, List.of(), Map.of(), () -> List.of(LARGE));
    Optional<MemoryShortage> fills =
        Optional.of(
            new MemoryPressure(
                "p", Optional.of(new Quantity("2Gi")), (long) (1.8 * GIB), (long) (1.5 * GIB)));
    Sized full = after(own, Sizes.running(first), fills, Optional.empty(), LARGE);
    assertThat(limit(full)).isEqualTo(new Quantity("2Gi"));
    assertThat(SizingValidCondition.of(full, "t").message())
        .contains(
            "pod p uses 1.8 GiB of its memory limit of 2Gi, and needs 1.5 GiB of that for live objects",
            "Raise the memory in spec.apiServer.resources to at least 4.0 GiB");
  }

  @Test
  void aLimitThatNoNodeCarriesChangesNothing() {
    Sized first = sized(spec(500), List.of(), Map.of(), () -> List.of(SMALL));
    Map<Component, Container> running = Sizes.running(first);
    Sized stuck = after(spec(500), running, killed("6Gi"), Optional.of(new Quantity("6Gi")), SMALL);
    assertThat(stuck.apiServer().orElseThrow().container())
        .contains(running.get(Component.KUBE_APISERVER).getResources());
    assertThat(grown(stuck)).contains(new Quantity("6Gi"));
    assertThat(SizingValidCondition.of(stuck, "t").message())
        .contains("No node has room for a kube-apiserver of 12Gi", "set spec.apiServer.resources");
  }

  @Test
  void theUsersMemoryIsHeldAgainstWhatItTakesAndNotChanged() {
    ControlPlane own =
        Fixtures.controlPlane(
            "{version: 1.36.3, maxNodes: 10, apiServer: {resources: {limits: {memory: 1Gi}}}}");
    Sized first = sized(own, List.of(), Map.of(), () -> List.of(LARGE));
    Sized killed = after(own, Sizes.running(first), killed("1Gi"), Optional.empty(), LARGE);
    assertThat(limit(killed)).isEqualTo(new Quantity("1Gi"));
    assertThat(SizingValidCondition.of(killed, "t").message())
        .contains("Raise the memory in spec.apiServer.resources to at least ");
  }

  /** What a removed control plane of the same name left. */
  @Test
  void aKillBeforeThereIsAKubeApiServerIsOfAnother() {
    Sized fresh = after(spec(10), Map.of(), killed("1Gi"), Optional.empty(), LARGE);
    assertThat(fresh.apiServer())
        .isEqualTo(sized(spec(10), List.of(), Map.of(), () -> List.of(LARGE)).apiServer());
  }

  @Test
  void whatStoresHoldCountsButForEvents() {
    Sized first = sized(spec(2_000), List.of(), Map.of(), () -> List.of(LARGE));
    List<StoreShard> shards = shards(first);
    shards.forEach(
        shard ->
            shard.setStatus(
                Serialization.unmarshal(
                    "{\"bytes\": %d}".formatted(20L << 30), StoreShardStatus.class)));
    Sized killed =
        Sized.of(
            spec(2_000),
            true,
            false,
            new Sized.Before(
                shards,
                Sizes.running(first),
                killed(limit(first).toString()),
                Optional.empty(),
                () -> List.of(LARGE),
                Optional::empty),
            Instant.EPOCH);
    assertThat(SizingValidCondition.of(killed, "t").message())
        .contains("the stores held 20 GiB when they were last asked");
    assertThat(limit(killed).getNumericalAmount().doubleValue()).isGreaterThan(200 * GIB);
  }

  @Test
  void whereNoNodeCarriesWhatStoresHoldTwiceTheMemoryIsTried() {
    MemoryGrowth growth = new MemoryGrowth(killed("3Gi"), Optional.empty(), GIB, 20 * GIB);
    assertThat(growth.limits(new Quantity("3Gi")))
        .containsExactly(new Quantity("20Gi"), new Quantity("6Gi"));
    Sized first = sized(spec(10), List.of(), Map.of(), () -> List.of(SMALL));
    ApiServerResources tried =
        ApiServerResources.of(
            first.tuned().orElseThrow(),
            spec(10).getSpec(),
            Optional.of(
                ApiServerResources.Running.of(Sizes.running(first).get(Component.KUBE_APISERVER))),
            new MemoryGrowth(killed(limit(first).toString()), Optional.empty(), GIB, 20 * GIB),
            () -> List.of(SMALL));
    assertThat(tried.problem()).isEmpty();
    assertThat(tried.grown()).isPresent();
  }

  /** The Deployment knows it, so that an operator that starts does; pods don't. */
  @Test
  void theLimitIsOnTheDeployment() {
    Sized first = sized(spec(10), List.of(), Map.of(), () -> List.of(LARGE));
    Sized grown =
        after(
            spec(10),
            Sizes.running(first),
            killed(limit(first).toString()),
            Optional.empty(),
            LARGE);
    Deployment plain = deployment(first);
    Deployment larger = deployment(grown);
    assertThat(MemoryGrowth.applied(plain)).isEmpty();
    assertThat(MemoryGrowth.applied(larger)).contains(limit(grown));
    assertThat(larger.getSpec().getTemplate().getMetadata())
        .isEqualTo(plain.getSpec().getTemplate().getMetadata());
    assertThat(
            larger
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst()
                .getResources()
                .getLimits())
        .containsEntry("memory", limit(grown));
  }

  private static Deployment deployment(Sized sized) {
    Inputs inputs = Fixtures.inputs(spec(10), "d");
    return Components.apiServer(
        new Inputs(
            sized,
            inputs.images(),
            inputs.serviceAddress(),
            inputs.servicePort(),
            inputs.stores(),
            inputs.certificateEpoch()),
        Optional.empty());
  }

  @Test
  void theKillOfTheLargestLimitCounts() {
    List<Pod> pods =
        List.of(
            pod("a", "3Gi", "lastState", "OOMKilled", "2026-11-26T10:00:00Z"),
            pod("b", "6Gi", "state", "OOMKilled", "2026-11-26T09:00:00Z"),
            pod("c", "6Gi", "lastState", "OOMKilled", "2026-11-26T08:00:00Z"),
            pod("d", "9Gi", "lastState", "Error", "2026-11-26T11:00:00Z"));
    assertThat(OutOfMemory.of(pods, "kube-apiserver"))
        .contains(new OutOfMemory("b", "2026-11-26T09:00:00Z", Optional.of(new Quantity("6Gi"))));
    assertThat(OutOfMemory.of(pods, "wait")).isEmpty();
    assertThat(OutOfMemory.of(List.of(), "kube-apiserver")).isEmpty();
  }

  private static Pod pod(String name, String limit, String state, String reason, String at) {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s}
        spec: {containers: [{name: kube-apiserver, resources: {limits: {memory: %s}}}]}
        status:
          containerStatuses:
          - {name: kube-apiserver, %s: {terminated: {exitCode: 137, reason: %s, finishedAt: "%s"}}}
        """
            .formatted(name, limit, state, reason, at),
        Pod.class);
  }

  private static Quantity limit(Sized sized) {
    return sized.apiServer().orElseThrow().container().orElseThrow().getLimits().get("memory");
  }

  private static Optional<Quantity> grown(Sized sized) {
    return sized.apiServer().orElseThrow().grown();
  }

  private static Sized after(
      ControlPlane controlPlane,
      Map<Component, Container> running,
      Optional<MemoryShortage> killed,
      Optional<Quantity> grown,
      NodeCapacity node) {
    return Sized.of(
        controlPlane,
        true,
        false,
        new Sized.Before(List.of(), running, killed, grown, () -> List.of(node), Optional::empty),
        Instant.EPOCH);
  }
}
