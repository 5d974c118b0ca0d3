// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.tuning.alerts.AlertRules;
import io.exaplane.tuning.version.MinorVersion;
import io.exaplane.tuning.version.VersionMatrix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The table of Kubernetes' versions says what the programs can. The operator's column is its own
 * test's.
 */
class VersionsPageTest {
  private static final Path PAGE = Path.of("../docs/versions.md");
  private static final Path TESTED = Path.of("../testbed/versions.env");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (1\\.\\d+) \\|(.*)\\|$");
  private static final Pattern BINARIES =
      Pattern.compile("(?m)^KUBERNETES\\w*=((1\\.\\d+)\\.\\d+)$");

  @Test
  void eachProgramHasTheVersionsOfItsColumn() throws IOException {
    VersionMatrix matrix = VersionMatrix.load();
    List<String> known = matrix.minors().stream().map(MinorVersion::toString).toList();
    assertThat(rows().keySet()).containsExactlyInAnyOrderElementsOf(known);
    assertThat(yes(2)).containsExactlyElementsOf(schedulers());
    assertThat(yes(3))
        .containsExactlyElementsOf(
            IntStream.rangeClosed(AlertRules.OLDEST, AlertRules.NEWEST)
                .mapToObj(minor -> "1." + minor)
                .toList());
    assertThat(yes(4)).containsExactlyElementsOf(known);
  }

  @Test
  void testsRunWithTheVersionsOfTheLastColumn() throws IOException {
    Map<String, String> tested = new TreeMap<>();
    for (MatchResult each : BINARIES.matcher(Files.readString(TESTED)).results().toList()) {
      tested.put(each.group(2), each.group(1));
    }
    Map<String, String> said = new TreeMap<>();
    rows()
        .forEach(
            (minor, cells) -> {
              if (!cells.get(5).isEmpty()) {
                said.put(minor, cells.get(5));
              }
            });
    assertThat(said).isEqualTo(tested).isNotEmpty();
  }

  private static List<String> schedulers() {
    List<String> minors = new ArrayList<>();
    for (Version version : Version.values()) {
      minors.add(version.toString());
    }
    return minors;
  }

  /** The versions with a yes in this column, oldest first. */
  private static List<String> yes(int column) throws IOException {
    return rows().entrySet().stream()
        .filter(row -> row.getValue().get(column).equals("yes"))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Cells by version, the version itself among them. */
  private static Map<String, List<String>> rows() throws IOException {
    Map<String, List<String>> rows = new TreeMap<>();
    for (MatchResult row : ROW.matcher(Files.readString(PAGE)).results().toList()) {
      List<String> cells = new ArrayList<>(List.of(row.group(1)));
      for (String cell : row.group(2).split("\\|", -1)) {
        cells.add(cell.strip());
      }
      rows.put(row.group(1), cells);
    }
    return rows;
  }
}
