// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.MaintenanceSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.bundle.MaintenanceWindow;
import io.exaplane.operator.bundle.Pins;
import io.exaplane.operator.bundle.Update;
import io.exaplane.operator.status.Verdict;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A new operator that changes nothing but the pods of stores, which have no windows. */
class OperatorUpdatePendingConditionTest {
  private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");
  private static final MaintenanceWindow AT_2 =
      MaintenanceWindow.of(new MaintenanceSpec("0 2 * * *", "10m", null), NOW);
  private static final List<StoreShard> CALM = List.of(shard("a", "False"), shard("b", "False"));
  private static final List<StoreShard> PENDING = List.of(shard("a", "False"), shard("b", "True"));

  private static StoreShard shard(String name, String pending) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: StoreShard
        metadata: {name: %s}
        status: {conditions: [{type: OperatorUpdatePending, status: "%s", reason: AsExpected}]}
        """
            .formatted(name, pending),
        StoreShard.class);
  }

  /** Nothing of the control plane itself would become other pods. */
  private static Update update(
      String asked, MaintenanceWindow window, boolean moves, String... unmoved) {
    return new Update(
        new Pins.Owner("2-b", asked, window, "1-a", "m", "demo-bundle"),
        "1-a",
        moves,
        false,
        false,
        List.of(),
        "1-a",
        List.of(unmoved));
  }

  @Test
  void theWindowIsNamedWhenOnlyStoresWouldBecomeOthers() {
    Verdict verdict =
        OperatorUpdatePendingCondition.of(update(null, AT_2, false, "StoreShard/b"), PENDING);
    assertThat(verdict.met()).isTrue();
    assertThat(verdict.reason()).isEqualTo(Reason.OperatorUpdatePending);
    assertThat(verdict.message())
        .contains(
            "of these stores: b.",
            "in the maintenance window of 2026-11-28T02:00:00Z",
            "To replace them sooner, set spec.rollout.bundle to 2-b.");
  }

  @Test
  void withoutAWindowAPersonIsAsked() {
    Update update = update(null, MaintenanceWindow.NONE, false, "StoreShard/b");
    assertThat(OperatorUpdatePendingCondition.of(update, PENDING).message())
        .endsWith("To replace the pods, set spec.rollout.bundle to 2-b.")
        .doesNotContain("window");
    assertThat(OperatorUpdatePendingCondition.of(update, CALM).met()).isFalse();
  }

  /** Who has asked already is not asked again. */
  @Test
  void whatIsUnderWayNeedsNobody() {
    Verdict verdict =
        OperatorUpdatePendingCondition.of(update("2-b", MaintenanceWindow.NONE, true), PENDING);
    assertThat(verdict.reason()).isEqualTo(Reason.RollingOut);
    assertThat(verdict.message()).contains("the stores b").endsWith("No action is needed.");
  }

  /** A pass is due at the window's begin, if a bundle of before is anywhere. */
  @ParameterizedTest
  @CsvSource({
    // asked by the spec, of another bundle, a store waits: a pass at the window's begin
    ",    false, false, false",
    ",    true,  false, true",
    ",    false, true,  true",
    ",    true,  true,  true",
    "1-a, true,  true,  false",
  })
  void aPassComesAtTheBeginOfTheWindow(
      String asked, boolean isOther, boolean storeWaits, boolean due) {
    Update update = update(asked, AT_2, false, isOther ? new String[] {"x"} : new String[0]);
    List<StoreShard> shards = storeWaits ? PENDING : CALM;
    assertThat(update.untilWindow(NOW, OperatorUpdatePendingCondition.arePending(shards)))
        .isEqualTo(due ? Optional.of(Duration.ofHours(14).plusSeconds(1)) : Optional.empty());
  }

  /** A pass that began before the window and ends in it: the next one comes soon, not never. */
  @Test
  void aPassThatIsLateIsFollowedByOneInTheWindow() {
    Update update = update(null, AT_2, false, "StoreShard/b");
    Instant late = Instant.parse("2026-11-28T02:00:07Z");
    assertThat(update.untilWindow(late)).contains(Duration.ofSeconds(1));
  }
}
