// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManCommandTest {
  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... words) {
    return Exactl.run(new PrintWriter(out, true), new PrintWriter(err, true), words);
  }

  @AfterEach
  void restore() {
    System.clearProperty("exactl.name");
  }

  @Test
  void eachCommandHasAPageUnderTheNameThatWasCalled() throws IOException {
    System.setProperty("exactl.name", "kubectl-exaplane");
    assertThat(run("man", folder.resolve("new").toString())).as("%s", err).isZero();
    List<String> names = names(folder.resolve("new"));
    assertThat(out.toString()).startsWith(names.size() + " pages in ");
    assertThat(names)
        .hasSizeGreaterThan(40)
        .contains("kubectl-exaplane.1", "kubectl-exaplane-rollout-pause.1")
        .contains("kubectl-exaplane-reshard.1");
    String page = Files.readString(folder.resolve("new/kubectl-exaplane-destroy.1"));
    assertThat(page)
        .startsWith(".TH \"KUBECTL\\-EXAPLANE\\-DESTROY\" 1 \"\" \"Exaplane ")
        .contains(".SH NAME\nkubectl\\-exaplane\\-destroy \\- Deletes a ControlPlane")
        .contains(".TP\n\\fB\\-\\-timeout\\fR=\\fISECONDS\\fR\nHow long to wait")
        .contains(".SH EXIT STATUS\n.TP\n0\n")
        .contains(".SH SEE ALSO\n\\fBkubectl\\-exaplane\\fR(1)\n");
  }

  private static List<String> names(Path pages) throws IOException {
    try (Stream<Path> files = Files.list(pages)) {
      return files.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void wordsOfRoffAreTextOnly() {
    assertThat(ManPages.roff(".TH 'x'")).isEqualTo("\\&.TH 'x'");
    assertThat(ManPages.roff("'a\\b-c")).isEqualTo("\\&'a\\eb\\-c");
    assertThat(ManPages.roff("\"…\"")).isEqualTo("\\(dq\\[u2026]\\(dq");
  }

  @Test
  void aFolderThatIsAFileIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "x");
    assertThat(run("man", file.toString())).isEqualTo(Exactl.BAD_INPUT);
    assertThat(err.toString())
        .contains("cannot be written", "name a folder in which you may write");
  }

  /** groff tells of each macro and escape that it does not know. */
  @Test
  void groffFindsNothingWrong() throws Exception {
    assumeThat(Path.of("/usr/bin/groff")).exists();
    run("man", folder.toString());
    List<String> command =
        new ArrayList<>(List.of("/usr/bin/groff", "-man", "-Tutf8", "-ww", "-Wbreak", "-z"));
    names(folder).forEach(each -> command.add(folder.resolve(each).toString()));
    Path said = folder.resolve("said");
    Process groff =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    assertThat(groff.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(said).content().doesNotContain("warning", "error");
  }
}
