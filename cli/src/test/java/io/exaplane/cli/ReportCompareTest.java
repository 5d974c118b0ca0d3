// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.cli.plane.SupportBundle;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two files of 'report' beside each other, without any cluster. */
class ReportCompareTest {
  private static final Instant MONDAY = Instant.parse("2026-11-23T08:00:00Z");
  private static final Instant TUESDAY = Instant.parse("2026-11-24T20:30:00Z");

  @TempDir private Path folder;
  private Path before;
  private Path after;

  private record Said(int code, String out, String err) {}

  private static Said run(String... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Exactl.run(new PrintWriter(out, true), new PrintWriter(err, true), words);
    return new Said(code, out.toString(), err.toString());
  }

  private Path bundle(String name, Instant at, String version, long bytes) throws IOException {
    Path file = folder.resolve(name);
    try (SupportBundle bundle = new SupportBundle(file, "exaplane-ns-demo-" + name, at)) {
      bundle.add("status.txt", "a text that nobody compares " + at);
      bundle.add("objects/controlplanes/demo.yaml", "spec: {version: \"%s\"}".formatted(version));
      bundle.add("objects/storeshards/demo-default.yaml", "status: {bytes: %d}".formatted(bytes));
    }
    return file;
  }

  @BeforeEach
  void write() throws IOException {
    before = bundle("a.tar.gz", MONDAY, "1.36.3", 1_000_000);
    after = bundle("b.tar.gz", TUESDAY, "1.37.2", 4_650_000);
  }

  @Test
  void whatDiffersIsPrinted() {
    Said said = run("report", "--compare", before.toString(), after.toString());
    assertThat(said.code()).as("%s", said).isZero();
    assertThat(said.out())
        .startsWith("A: 2026-11-23T08:00:00Z\nB: 2026-11-24T20:30:00Z, 36 h 30 min later\n")
        .containsPattern(
            "storeshards/demo-default +status.bytes +1,000,000 +4,650,000 +\\+3,650,000 +100,000")
        .containsPattern("controlplanes/demo +spec.version +1.36.3 +1.37.2")
        .doesNotContain("nobody compares");
  }

  @Test
  void equalReportsAreSaidToBeEqual() {
    Said said = run("report", "--compare", before.toString(), before.toString());
    assertThat(said.out()).contains("The reports do not differ.");
  }

  @Test
  void machinesGetAll() {
    Said said = run("report", "--compare", before.toString(), after.toString(), "-o", "json");
    assertThat(said.code()).as("%s", said).isZero();
    assertThat(said.out())
        .contains("\"perHour\" : 100000.0", "\"onlyAfter\"", "\"2026-11-23T08:00:00Z\"");
  }

  @Test
  void whatIsNoReportIsRefused() throws IOException {
    Path text = Files.writeString(folder.resolve("x"), "text");
    Said said = run("report", "--compare", before.toString(), text.toString());
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err())
        .contains("compare: '" + text + "' is no support bundle")
        .contains("name two files that 'report' wrote");
    Path empty = folder.resolve("empty.tar.gz");
    try (SupportBundle bundle = new SupportBundle(empty, "other", MONDAY)) {
      bundle.add("a.txt", "a");
    }
    said = run("report", "--compare", before.toString(), empty.toString());
    assertThat(said.err()).contains("it has no ControlPlane");
    said = run("report", "--compare", before.toString(), folder.resolve("none").toString());
    assertThat(said.err()).contains("does not exist");
    said = run("report", "--compare", before.toString(), after.toString(), "demo");
    assertThat(said.err()).contains("compares two files and writes none");
  }

  @Test
  void aFileThatIsNoObjectIsNone() throws IOException {
    Path odd = folder.resolve("odd.tar.gz");
    try (SupportBundle bundle = new SupportBundle(odd, "exaplane-ns-demo-odd", MONDAY)) {
      bundle.add("objects/controlplanes/demo.yaml", "spec: {version: \"1.36.3\"}");
      bundle.add("objects/foo.yaml", "spec: {a: b}");
    }
    Said said = run("report", "--compare", odd.toString(), odd.toString());
    assertThat(said.code()).as("%s", said).isZero();
    assertThat(said.out()).contains("The reports do not differ.");
  }

  /** It could rename the window, or write over lines above. */
  @Test
  void wordsOfAReportDoNotReachTheTerminalAsCommands() throws IOException {
    Path odd = folder.resolve("odd.tar.gz");
    try (SupportBundle bundle = new SupportBundle(odd, "exaplane-ns-demo-odd", MONDAY)) {
      bundle.add(
          "objects/controlplanes/demo.yaml",
          "spec: {version: \"\\e]0;title\\a\", \"fi\\eeld\": \"a\\u202Eb\"}");
      bundle.add("objects/nodepools/p\u001b[2J.yaml", "spec: {a: b}");
    }
    Said said = run("report", "--compare", before.toString(), odd.toString());
    assertThat(said.out())
        .contains("?]0;title?", "spec.fi?eld", "a?b", "nodepools/p?[2J")
        .doesNotContain("\u001b", "\u0007", "\u202e");
  }

  /** A bundle of somebody else's may be made to fill the memory. */
  @Test
  void aBombIsRefused() throws IOException {
    Path bomb = folder.resolve("bomb.tar.gz");
    try (SupportBundle bundle = new SupportBundle(bomb, "other", MONDAY)) {
      bundle.add("objects/controlplanes/demo.yaml", "a".repeat((16 << 20) + 1));
    }
    Said said = run("report", "--compare", before.toString(), bomb.toString());
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains("has more than 16 MiB");
  }
}
