// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.tuning.Shapes;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

class CapacityPlanTest {
  @Test
  void hasThreeStepsADecadeAndBothEnds() {
    assertThat(plan(700, 30_000).steps())
        .extracting(CapacityPlan.Step::nodes)
        .containsExactly(700L, 1_000L, 2_000L, 5_000L, 10_000L, 20_000L, 30_000L);
    assertThat(plan(500, 500).steps()).hasSize(1);
    assertThatThrownBy(() -> plan(2, 1)).isInstanceOf(InvalidInputException.class);
  }

  @Test
  void growsWithTheNodes() {
    CapacityPlan plan = plan(1_000, 1_000_000);
    CapacityPlan.Step last = plan.steps().getLast();
    assertThat(plan.steps().getFirst().stores()).isEqualTo(2);
    assertThat(last.stores()).isEqualTo(6);
    assertThat(last.apiServers()).isGreaterThanOrEqualTo(11);
    assertThat(last.memory()).isGreaterThan(plan.steps().getFirst().memory());
    assertThat(last.driver()).isEqualTo("objects");
    assertThat(last.warnings()).contains("SliceWritesExceedSeats").doesNotHaveDuplicates();
  }

  @Test
  void thePictureIsWellFormedAndHasAPointForEachStep() throws Exception {
    CapacityPlan plan = plan(1_000, 1_000_000);
    var document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(Chart.svg(plan, "growth <of> 1 & 2"))));
    assertThat(document.getElementsByTagName("polyline").getLength()).isEqualTo(8);
    assertThat(document.getElementsByTagName("circle").getLength())
        .isEqualTo(8 * plan.steps().size());
  }

  private static CapacityPlan plan(long from, long to) {
    return CapacityPlan.of(Shapes.of("1.36", 1), Shapes.MATRIX, from, to);
  }
}
