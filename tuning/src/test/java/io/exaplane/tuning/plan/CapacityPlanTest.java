// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.tuning.Shapes;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.path.Servers;
import java.io.StringReader;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class CapacityPlanTest {
  private static final int PANELS = 8;

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
  void theChangedClusterHasNoWarningAndNeedsNoMoreThanAServer() {
    CapacityPlan plan = plan(10_000, 1_000_000);
    Servers servers = Servers.parse(Servers.DEFAULT);
    assertThat(plan.paths()).hasSameSizeAs(plan.steps());
    assertThat(plan.changed())
        .hasSameSizeAs(plan.steps())
        .allSatisfy(
            step -> {
              assertThat(step.warnings()).isEmpty();
              assertThat(step.memoryPerServer()).isLessThanOrEqualTo(servers.usableMemory());
              assertThat(step.cpusPerServer()).isLessThanOrEqualTo(2 * servers.cores());
            });
  }

  @Test
  void thePictureIsWellFormedAndHasAPointForEachStep() throws Exception {
    CapacityPlan plan = plan(1_000, 1_000_000);
    var document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(Chart.svg(plan, "growth <of> 1 & 2"))));
    assertThat(document.getElementsByTagName("polyline").getLength()).isEqualTo(2 * PANELS);
    assertThat(document.getElementsByTagName("circle").getLength())
        .as("a point for each step of both lines, and one in the legend")
        .isEqualTo(2 * PANELS * plan.steps().size() + 1);
    assertThat(texts(document))
        .contains("as given", "after the changes that are listed below")
        .contains("a limit is exceeded at this size")
        .contains("on servers of 128 cores, 512 GiB, 25 Gbit/s")
        .contains("bytes a second", "cores", "number")
        .contains("growth <of> 1 & 2")
        .contains(Bytes.text(plan.steps().getLast().watchBytesPerSecond()) + "/s")
        .contains(Bytes.text(plan.changed().getLast().watchBytesPerSecond()) + "/s")
        .anyMatch(text -> text.contains("breaks first: it needs"))
        .anyMatch(text -> text.contains("kube-proxy=false"));
  }

  private static List<String> texts(Document document) {
    NodeList found = document.getElementsByTagName("text");
    return IntStream.range(0, found.getLength())
        .mapToObj(i -> found.item(i).getTextContent())
        .toList();
  }

  private static CapacityPlan plan(long from, long to) {
    return CapacityPlan.of(
        Shapes.of("1.36", 1), Shapes.MATRIX, Servers.parse(Servers.DEFAULT), from, to);
  }
}
