// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The committed page of commands is the one that the commands give. */
class CommandReferenceTest {
  private static final Path PAGE = Path.of("../docs/reference/exactl.md");

  @Test
  void theCommittedPageIsUpToDate() throws IOException {
    String page = CommandReference.page(Exactl.commandLine());
    if (Boolean.getBoolean("exa.generate")) {
      Files.createDirectories(PAGE.getParent());
      Files.writeString(PAGE, page);
    }
    assertThat(PAGE).as("run './exa generate' and commit the result").hasContent(page);
  }

  @Command(
      name = "inside",
      description = {"Does it.", "At 100%% of it."},
      exitCodeList = {"0:done", "1:not done"},
      mixinStandardHelpOptions = true)
  static final class Inside {
    @Parameters(paramLabel = "FILE", description = "The file.")
    private String file;

    @Option(
        names = {"-o", "--output"},
        paramLabel = "a|b",
        required = true,
        defaultValue = "a",
        description = "The form (default: ${DEFAULT-VALUE}).")
    private String output;

    @Option(names = "--secret", hidden = true, description = "Nobody sees it.")
    private boolean secret;
  }

  @Command(name = "outside", description = "All.", subcommands = Inside.class)
  static final class Outside {}

  @Test
  void everyCommandAndOptionIsThere() {
    assertThat(CommandReference.page(new CommandLine(new Outside())))
        .contains(
            "\n## outside\n\nAll.\n",
            "\n## outside inside\n\nDoes it. At 100% of it.\n",
            "| `FILE` | `FILE` | Required. The file. |\n",
            "| `-o`, `--output` | `a\\|b` | ",
            "The form (default: a). |\n",
            "| 0 | done |\n| 1 | not done |\n")
        .doesNotContain("--secret", "| `-h`");
  }
}
