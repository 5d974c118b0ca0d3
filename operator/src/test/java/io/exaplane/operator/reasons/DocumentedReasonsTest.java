// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.reasons;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DocumentedReasonsTest {
  @Test
  void aCellHasConditionsOfEachKindAndEvents() {
    String page =
        """
        | `Available` | The API answers. |
        | reason | conditions | page |
        |---|---|---|
        | `StoreDataLost` | `Available`, `Degraded`; StoreShard: `Ready` (until `restored`) | [Data loss](data-loss.md) |
        | `RolledBack` | an Event | [Rollouts](rollouts.md) |
        """;
    assertThat(DocumentedReasons.of(page).pairs())
        .isEqualTo(
            Map.of(
                "StoreDataLost",
                Set.of("ConditionType Available", "ConditionType Degraded", "StoreCondition Ready"),
                "RolledBack",
                Set.of(DocumentedReasons.EVENT)));
  }

  @Test
  void aClassNamesTheConditionThatItDecides() {
    String packages = "io.exaplane.operator.";
    assertThat(DecidingClass.of(packages + "controlplane.condition.DegradedCondition$Findings"))
        .hasToString("Optional[ConditionType Degraded]");
    assertThat(DecidingClass.of(packages + "schedulerpool.condition.UpToDateCondition"))
        .hasToString("Optional[PoolCondition UpToDate]");
    assertThat(DecidingClass.of(packages + "storeshard.condition.ReadyCondition"))
        .hasToString("Optional[StoreCondition Ready]");
    assertThat(DecidingClass.of(packages + "task.condition.CompleteCondition"))
        .hasToString("Optional[TaskCondition Complete]");
    assertThat(DecidingClass.of(packages + "controlplane.condition.ComponentPods"))
        .as("of three conditions")
        .isEmpty();
    assertThat(DecidingClass.of(packages + "controlplane.observe.EndpointAddress")).isEmpty();
  }
}
