// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.RolloutGate;
import io.exaplane.api.v1alpha1.RolloutStatus;
import io.exaplane.api.v1alpha1.RolloutStatus.Blocked;
import io.exaplane.operator.controlplane.rollout.ComponentView.Live;
import io.exaplane.operator.controlplane.rollout.ComponentView.PodView;
import io.exaplane.operator.status.News;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each gate, closed alone in mid-rollout: told with its figures, and opened by its own name. */
class RolloutGateTest {
  private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");
  private static final ServerLoad CALM = new ServerLoad(9, 9, 20, 5, 1);
  private static final String SERVER = "apiserver";
  private static final String MANAGER = "controller-manager";

  private static PodView pod(int readySeconds, ServerLoad load) {
    return new PodView(
        "p",
        Optional.of(NOW.minusSeconds(readySeconds)),
        Optional.ofNullable(load),
        Optional.empty());
  }

  /** The first new pod of three, which settled but for one gate. */
  private static PodView newest(RolloutGate gate) {
    return switch (gate) {
      case MinReady -> pod(9, CALM);
      case MetricsRead -> pod(20, null);
      case WatchCaches -> pod(20, new ServerLoad(9, 8, 20, 5, 1));
      case RequestP99 -> pod(20, new ServerLoad(9, 9, 1_001, 5, 1));
      case RequestsInFlight -> pod(20, new ServerLoad(9, 9, 20, 71, 1));
      case Relists -> pod(20, new ServerLoad(9, 9, 20, 5, 11));
      case StoresServe, OneLayer, ProgressDeadline -> pod(20, CALM);
    };
  }

  private static ComponentView view(String component, PodView newest) {
    return new ComponentView(
        component,
        component.equals(SERVER),
        "new",
        false,
        3,
        Optional.of(
            new Live(
                "new",
                3,
                new Hold(false, 0, 1),
                true,
                1,
                4,
                4,
                3,
                List.of(newest),
                Optional.of(newest),
                true,
                Optional.empty())));
  }

  private static RolloutPolicy policy(String override) {
    return RolloutPolicy.of(null, override);
  }

  private static RolloutPlan plan(RolloutGate gate, String override) {
    RolloutPlan.Stores stores = new RolloutPlan.Stores(gate == RolloutGate.StoresServe ? 1 : 2, 2);
    List<ComponentView> views =
        gate == RolloutGate.OneLayer
            ? List.of(view(SERVER, newest(gate)), view(MANAGER, newest(gate)))
            : List.of(view(SERVER, newest(gate)));
    return new RolloutPlan(policy(override), stores, views, before(gate), NOW);
  }

  private static Optional<RolloutStatus> before(RolloutGate gate) {
    String early = NOW.minus(Duration.ofHours(1)).toString();
    return gate == RolloutGate.ProgressDeadline
        ? Optional.of(
            new RolloutStatus(
                SERVER,
                "new",
                "1 of 3 pods replaced",
                early,
                early,
                NOW.minusSeconds(60).toString(),
                "pod p: bad flag",
                null,
                null,
                null,
                null,
                null))
        : Optional.empty();
  }

  /** Older pods that may have ended for the new one. */
  private static int allowed(RolloutGate gate, RolloutPlan plan) {
    return plan.applied(gate == RolloutGate.OneLayer ? MANAGER : SERVER)
        .orElseThrow()
        .hold()
        .allowed();
  }

  private static List<RolloutGate> closed(RolloutPlan plan) {
    List<Blocked> blocked = plan.status().orElseThrow().blockedBy();
    return blocked == null ? List.of() : blocked.stream().map(Blocked::gate).toList();
  }

  @ParameterizedTest
  @EnumSource(RolloutGate.class)
  void eachIsToldWithItsFigures(RolloutGate gate) {
    RolloutPlan held = plan(gate, null);
    assertThat(allowed(gate, held)).as("no older pod ends").isZero();
    assertThat(closed(held)).containsExactly(gate);
    Blocked told = held.status().orElseThrow().blockedBy().getFirst();
    assertThat(told.number()).as("number").isNotBlank();
    assertThat(told.limit()).as("limit").isNotBlank();
    assertThat(told.since()).as("since").isNotBlank();
    assertThat(told.message()).as("message").isNotBlank();
  }

  @ParameterizedTest
  @EnumSource(RolloutGate.class)
  void eachIsOpenedByItsNameAlone(RolloutGate gate) {
    String others =
        Arrays.stream(RolloutGate.values())
            .filter(other -> other != gate)
            .map(RolloutGate::name)
            .collect(Collectors.joining(","));
    assertThat(allowed(gate, plan(gate, others))).as("the names of all others").isZero();
    assertThat(closed(plan(gate, others))).containsExactly(gate);
    RolloutPlan open = plan(gate, gate.name());
    assertThat(allowed(gate, open)).as("an older pod may end").isOne();
    assertThat(closed(open)).isEmpty();
    assertThat(open.status().orElseThrow().override()).isEqualTo(gate.name());
    assertThat(RolloutNews.of(plan(gate, null).status(), open.status(), policy(gate.name())))
        .filteredOn(news -> news.reason() == Reason.RolloutOverridden)
        .singleElement()
        .satisfies(
            (News news) -> {
              assertThat(news.warns()).isTrue();
              assertThat(news.message()).contains("opens " + gate.name() + " until");
            });
  }
}
