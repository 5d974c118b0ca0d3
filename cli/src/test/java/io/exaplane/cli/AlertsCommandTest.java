// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.tuning.alerts.Alert;
import io.exaplane.tuning.alerts.AlertInputs;
import io.exaplane.tuning.alerts.AlertRules;
import io.exaplane.tuning.version.MinorVersion;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlertsCommandTest {
  private static final Path RUNBOOKS = Path.of("../docs/runbooks");
  private static final Path COMMITTED = Path.of("../config/alerts");
  private static final List<String> PARTS =
      List.of("**Meaning:** ", "**Look:** ", "**Do:** ", "**When it lies:** ");

  /** Write them again by {@code ./exa generate}. */
  @ParameterizedTest
  @CsvSource({"yaml, prometheusrule-1.37.yaml", "rules, rules-1.37.yaml"})
  void committedFilesAreThoseOfTheModel(String format, String file) throws IOException {
    Path committed = COMMITTED.resolve(file);
    String generated = run("--output", format);
    if (Boolean.getBoolean("exa.generate")) {
      Files.writeString(committed, generated);
    }
    assertThat(committed).as("run './exa generate'").hasContent(generated);
  }

  /** Each alert has its section, and each section its alert; all parts are there. */
  @Test
  void eachAlertHasARunbook() throws IOException {
    Set<String> sections = new HashSet<>();
    for (Alert alert : alerts()) {
      String page = Files.readString(RUNBOOKS.resolve(alert.page() + ".md"));
      Matcher section =
          Pattern.compile("(?ms)^## " + alert.name() + "$(.*?)(?=^## |\\z)").matcher(page);
      assertThat(section.find()).as(alert.name() + " on " + alert.page() + ".md").isTrue();
      assertThat(section.group(1)).as(alert.name()).contains(PARTS);
      sections.add(alert.name());
    }
    Set<String> headings = new HashSet<>();
    try (var pages = Files.list(RUNBOOKS)) {
      for (Path page : pages.toList()) {
        Pattern.compile("(?m)^## (\\w+)$")
            .matcher(Files.readString(page))
            .results()
            .forEach(heading -> headings.add(heading.group(1)));
      }
    }
    assertThat(headings).isEqualTo(sections);
  }

  @Test
  void linksLeadToYourCopyOfTheRunbooks() {
    assertThat(run("--output", "rules", "--runbooks", "https://wiki.example.org/r/"))
        .contains("runbook_url: https://wiki.example.org/r/stores.md#exaplanestoredown");
  }

  @Test
  void theTableHasOneLineForEachAlert() {
    assertThat(run()).hasLineCount(alerts().size() + 1).contains("ExaplaneStoreDown");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--kubernetes=1.33|--kubernetes: '1.33' must be 1.34 to 1.37",
        "--kubernetes=new|--kubernetes: 'new' is not a version",
        "--store-network=0|--store-network: '0.0' must be 1 to 1,000,000"
      })
  void aWrongInputIsNamed(String option, String error) {
    StringWriter err = new StringWriter();
    int code =
        Exactl.run(new PrintWriter(new StringWriter()), new PrintWriter(err), "alerts", option);
    assertThat(code).isEqualTo(Exactl.BAD_INPUT);
    assertThat(err.toString()).contains(error);
  }

  private static List<Alert> alerts() {
    return AlertRules.of(AlertInputs.of(MinorVersion.of(37))).stream()
        .flatMap(group -> group.alerts().stream())
        .toList();
  }

  private static String run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] all = new String[arguments.length + 1];
    all[0] = "alerts";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    assertThat(Exactl.run(new PrintWriter(out), new PrintWriter(err), all))
        .as(err.toString())
        .isZero();
    return out.toString();
  }
}
