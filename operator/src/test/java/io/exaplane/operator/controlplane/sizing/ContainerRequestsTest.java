// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import static io.exaplane.operator.controlplane.sizing.Sizes.LARGE;
import static io.exaplane.operator.controlplane.sizing.Sizes.SMALL;
import static io.exaplane.operator.controlplane.sizing.Sizes.made;
import static io.exaplane.operator.controlplane.sizing.Sizes.running;
import static io.exaplane.operator.controlplane.sizing.Sizes.shards;
import static io.exaplane.operator.controlplane.sizing.Sizes.sized;
import static io.exaplane.operator.controlplane.sizing.Sizes.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.status.Verdict;
import io.exaplane.tuning.version.Component;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What kube-apiserver asks for: the user's, or the model's where a node carries it. */
class ContainerRequestsTest {
  @Test
  void requestsThatNoNodeCarriesAreReportedAndNotApplied() {
    Sized fits = sized(spec(100), List.of(), Map.of(), () -> List.of(SMALL));
    assertThat(fits.apiServer().orElseThrow().container()).isPresent();
    assertThat(SizingValidCondition.of(fits, "t").reason()).isEqualTo(Reason.AsExpected);
    Sized tooLarge = sized(spec(5_000), List.of(), Map.of(), () -> List.of(SMALL));
    assertThat(tooLarge.apiServer().orElseThrow().container()).isEmpty();
    assertThat(tooLarge.apiServer().orElseThrow().environment()).isEmpty();
    Verdict verdict = SizingValidCondition.of(tooLarge, "t");
    assertThat(verdict.met()).isFalse();
    assertThat(verdict.reason()).isEqualTo(Reason.LargerThanAnyNode);
    assertThat(verdict.message()).contains("the largest node has 8.0 GiB and 2 cores");
  }

  @Test
  void requestsThatWereAppliedStayWhateverBecomesOfTheNodes() {
    Sized applied = sized(spec(5_000), List.of(), Map.of(), () -> List.of(LARGE));
    Map<Component, Container> running = running(applied);
    Sized later =
        sized(
            spec(5_000),
            shards(applied),
            running,
            () -> {
              throw new AssertionError("nodes do not matter");
            });
    assertThat(later.apiServer()).isEqualTo(applied.apiServer());
  }

  @Test
  void aSizeThatNoNodeCarriesLeavesWhatWasApplied() {
    Map<Component, Container> running =
        running(sized(spec(100), List.of(), Map.of(), () -> List.of(SMALL)));
    Sized grown = sized(spec(5_000), List.of(), running, () -> List.of(SMALL));
    ApiServerResources kept = grown.apiServer().orElseThrow();
    assertThat(kept.container()).contains(running.get(Component.KUBE_APISERVER).getResources());
    assertThat(kept.environment()).containsEntry("GOMEMLIMIT", "2611MiB");
    assertThat(SizingValidCondition.of(grown, "t").message())
        .contains("does not apply this until a node is large enough");
  }

  @Test
  void theUsersResourcesCountAndTheCollectorFollowsTheirLimit() {
    ApiServerResources own =
        made(
                Fixtures.controlPlane(
                    "{version: 1.36.3, maxNodes: 100, apiServer: {resources: {limits: {memory: 4Gi}}}}"),
                List.of())
            .apiServer()
            .orElseThrow();
    assertThat(own.container().orElseThrow().getLimits()).containsKey("memory");
    assertThat(own.environment()).containsEntry("GOMEMLIMIT", "3481MiB").containsKey("GOGC");
    assertThat(
            made(
                    Fixtures.controlPlane(
                        "{version: 1.36.3, maxNodes: 100, apiServer: {resources: {requests: {memory: 4Gi}}}}"),
                    List.of())
                .apiServer()
                .orElseThrow()
                .environment())
        .as("without a limit there is nothing to go by")
        .isEmpty();
  }

  @Test
  void coresThatAUserNamesTakeNoMemoryAway() {
    ApiServerResources cores =
        made(
                Fixtures.controlPlane(
                    "{version: 1.36.3, maxNodes: 100, apiServer: {resources: {requests: {cpu: 4}}}}"),
                List.of())
            .apiServer()
            .orElseThrow();
    assertThat(cores.container().orElseThrow().getRequests())
        .containsEntry("cpu", new Quantity("4"))
        .containsEntry("memory", new Quantity("3Gi"));
    assertThat(cores.environment()).containsKeys("GOGC", "GOMEMLIMIT");
  }
}
