// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** The committed page of the scheduler's options is what its '--help' prints. */
class OptionReferenceTest {
  private static final Path PAGE = Path.of("../../docs/reference/scheduler.md");
  private static final int WIDTH = 120;

  private static final String HEAD =
      """
      # Options of the scheduler

      `./exa generate` writes this page from `./exa scheduler --help`. [The scheduler](../scheduler.md) explains what the options are for. The operator sets the
      options of a SchedulerPool from its spec.
      """;

  @Test
  void theCommittedPageIsWhatHelpPrints() throws IOException {
    String help =
        new CommandLine(new SchedulerCommand())
            .setUsageHelpAutoWidth(false)
            .setUsageHelpWidth(WIDTH)
            .getUsageMessage(Ansi.OFF)
            .stripTrailing()
            .replaceAll("(?m) +$", "");
    String page = HEAD + "\n```\n%s\n```\n".formatted(help);
    if (Boolean.getBoolean("exa.generate")) {
      Files.writeString(PAGE, page);
    }
    assertThat(PAGE).as("run './exa generate' and commit the result").hasContent(page);
    assertThat(page).contains("--kubeconfig", "--tree-parents");
  }
}
