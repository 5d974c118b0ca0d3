// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.apf;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.tuning.Shapes;
import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Shape;
import io.exaplane.tuning.version.FlowSchema;
import io.exaplane.tuning.version.PriorityLevel;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlowControlTest {
  @Test
  void aSmallClusterNeedsNoneOfOurs() {
    assertThat(of(Shapes.of("1.36", 999)).manifests()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1_000, 5_000, 100_000, 1_000_000})
  void renewalsHaveTheSeatsThatTheyNeed(long nodes) {
    Estimate estimate = Estimate.of(Shapes.of("1.36", nodes));
    Seats leases = FlowControl.of(estimate, Shapes.MATRIX).seatsAfter().get(FlowControl.LEASES);
    assertThat(leases.nominal()).isGreaterThanOrEqualTo((int) FlowControl.leaseSeats(estimate));
    assertThat(leases.lower()).as("lent to nobody").isEqualTo(leases.nominal());
  }

  @Test
  void ourLevelsTakeFromAllOthersInProportion() {
    FlowControl flowControl = of(Shapes.of("1.36", 100_000));
    flowControl
        .seatsBefore()
        .forEach(
            (level, before) ->
                assertThat(flowControl.seatsAfter().get(level).nominal())
                    .as(level)
                    .isLessThanOrEqualTo(before.nominal()));
  }

  /** pkg/util/shufflesharding: hands are dealt from 60 bits of a hash. */
  @Test
  void handsCanBeDealt() {
    for (PriorityLevel level : of(everything()).levels()) {
      double bits = 0;
      for (int card = 0; card < level.handSize(); card++) {
        bits += Math.log(level.queues() - card) / Math.log(2);
      }
      assertThat(Math.ceil(bits)).as(level.name()).isLessThanOrEqualTo(60);
    }
  }

  @Test
  void everySchemaLeadsToALevelThatIsThere() {
    FlowControl flowControl = of(everything());
    assertThat(flowControl.schemas())
        .allSatisfy(
            schema -> assertThat(flowControl.seatsAfter()).containsKey(schema.priorityLevel()));
    assertThat(flowControl.levels())
        .as("every level of ours is led to")
        .allSatisfy(
            level ->
                assertThat(flowControl.schemas())
                    .extracting(Schema::priorityLevel)
                    .contains(level.name()));
  }

  @Test
  void precedencesAreOursAlone() {
    List<FlowSchema> builtIn = Shapes.MATRIX.flowSchemas(Shapes.of("1.36", 1).version());
    Set<Integer> taken = new HashSet<>(builtIn.stream().map(FlowSchema::precedence).toList());
    assertThat(of(everything()).schemas())
        .allSatisfy(
            schema -> assertThat(taken.add(schema.precedence())).as(schema.name()).isTrue());
  }

  @Test
  void agentsAndHeavyListersBorrowFromNobody() {
    assertThat(of(everything()).levels())
        .filteredOn(level -> Set.of(FlowControl.AGENTS, FlowControl.LISTS).contains(level.name()))
        .hasSize(2)
        .allSatisfy(level -> assertThat(level.borrowingLimitPercent()).hasValue(0));
  }

  private static FlowControl of(Shape shape) {
    return FlowControl.of(Estimate.of(shape), Shapes.MATRIX);
  }

  private static Shape everything() {
    return Shapes.of(
        Input.KUBERNETES_VERSION, "1.36",
        Input.NODES, 100_000,
        Input.AGENTS, "monitoring/telemetry,security/scanner",
        Input.HEAVY_LISTERS, "tools/inventory",
        Input.BREAK_GLASS_GROUP, "sre");
  }
}
