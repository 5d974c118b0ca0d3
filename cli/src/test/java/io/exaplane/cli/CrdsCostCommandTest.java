// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.apply.port.ServerLoad;
import io.exaplane.tuning.model.DefinitionCost;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What definitions of files will cost, and which of them are meant. */
class CrdsCostCommandTest {
  private static final double MIB = 1 << 20;

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path file;

  @BeforeEach
  void generate() throws Exception {
    run("crds", "generate", "--count=30", "--groups=3", "--properties=60");
    file = Files.writeString(folder.resolve("all.yaml"), out.toString());
    out.getBuffer().setLength(0);
  }

  private int run(String... words) {
    return Exactl.run(new PrintWriter(out, true), new PrintWriter(err, true), words);
  }

  private int cost(String... more) {
    List<String> words = new ArrayList<>(List.of("crds", "cost", "-f", file.toString()));
    words.addAll(List.of(more));
    return run(words.toArray(String[]::new));
  }

  @Test
  void countsByGroupAndSaysWhatClientsWait() throws Exception {
    assertThat(cost("-o", "json")).isZero();
    JsonNode document = new ObjectMapper().readTree(out.toString());
    assertThat(document.path("definitions").asInt()).isEqualTo(30);
    assertThat(document.path("groupVersions").asInt()).isEqualTo(3);
    assertThat(document.path("liveHeapBytes").asDouble() / MIB).isCloseTo(23.1, within(0.4));
    assertThat(document.path("groups")).hasSize(3);
    assertThat(document.at("/groups/0/kinds/0").asText())
        .isEqualTo("Widget00000.g0000.scale.exaplane.io");
    assertThat(document.at("/discovery/0/requests").asInt()).isEqualTo(2);
    assertThat(document.at("/discovery/1/requests").asInt()).isEqualTo(38);
  }

  @Test
  void theTableHasTheSameTotals() {
    assertThat(cost()).isZero();
    assertThat(out.toString()).containsPattern("all +30 +23 MiB").contains("g0001.scale");
  }

  @Test
  void patternsChooseKinds() throws Exception {
    assertThat(cost("--include", "*.g0000.*,*.g0001.*", "--exclude", "Widget00001.*", "-o", "json"))
        .isZero();
    JsonNode document = new ObjectMapper().readTree(out.toString());
    assertThat(document.path("definitions").asInt()).isEqualTo(19);
    assertThat(err.toString()).contains("11 kinds are left out");
  }

  @Test
  void aPatternThatMatchesNothingOrIsNoneIsRefused() {
    assertThat(cost("--include", "*.g0009.*")).isEqualTo(2);
    assertThat(err.toString()).contains("include: '*.g0009.*' must match a CustomResource");
    assertThat(cost("--exclude", "Widget")).isEqualTo(2);
    assertThat(err.toString()).contains("'Widget' must be KIND.GROUP");
    assertThat(cost("--exclude", "*")).isEqualTo(2);
    assertThat(err.toString()).contains("must hold a CustomResourceDefinition at least");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--exclude=Widget00001.*", "--include=*.g0000.*"})
  void kindsThatAreLeftOutAreNotPruned(String choice) {
    String[] words = {
      "apply",
      "-f",
      file.toString(),
      "--source=aws",
      "--kubeconfig=" + folder.resolve("none"),
      choice,
      "--prune"
    };
    assertThat(run(words)).isEqualTo(Exactl.BAD_INPUT);
    assertThat(err.toString())
        .contains("prune: 'true' must not be set while", "such as Widget0000", "omit --prune");
  }

  @Test
  void saysWhetherTheyFit() {
    DefinitionCost cost = new DefinitionCost(300, 30, 18_000, 2e6, 155 * MIB);
    DefinitionCheck fits = new DefinitionCheck(cost, load(170, 544));
    assertThat(fits.tooMany()).isFalse();
    assertThat(fits.words()).contains("take about 155 MiB", "170 MiB of at most 416", "they fit");
    DefinitionCheck full = new DefinitionCheck(cost, load(300, 544));
    assertThat(full.tooMany()).isTrue();
    assertThat(full.words()).contains("do not fit", "memory limit of 768 MiB", "--exclude");
    DefinitionCheck unknown = new DefinitionCheck(cost, ServerLoad.UNKNOWN);
    assertThat(unknown.tooMany()).isFalse();
    assertThat(unknown.words()).contains("whether that fits is unknown", "Set GOMEMLIMIT");
  }

  private static ServerLoad load(double liveMib, double limitMib) {
    return new ServerLoad(liveMib * MIB, liveMib * MIB, limitMib * MIB, 1, 600, 0, 0, -1);
  }
}
