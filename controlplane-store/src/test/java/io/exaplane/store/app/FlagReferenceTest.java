// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** The committed page of the store's flags is what its '--help' prints. */
class FlagReferenceTest {
  private static final Path PAGE = Path.of("../docs/reference/store.md");
  private static final int WIDTH = 120;

  private static final String HEAD =
      """
      # Flags of the store

      `./exa generate` writes this page from `./exa store --help`. [The store](../store.md) explains what the flags are for. The operator sets the flags of a
      StoreShard from its spec.
      """;

  @Test
  void theCommittedPageIsWhatHelpPrints() throws IOException {
    CommandLine store = new CommandLine(new Main());
    StringBuilder page = new StringBuilder(HEAD).append(chapter(store));
    store
        .getSubcommands()
        .values()
        .forEach(
            command -> {
              if (!command.getCommandSpec().usageMessage().hidden()) {
                page.append(chapter(command));
              }
            });
    if (Boolean.getBoolean("exa.generate")) {
      Files.writeString(PAGE, page.toString());
    }
    assertThat(PAGE).as("run './exa generate' and commit the result").hasContent(page.toString());
    assertThat(page).contains("--data-dir", "store restore", "--max-txn-ops");
  }

  private static String chapter(CommandLine command) {
    String name = command.getCommandSpec().qualifiedName();
    String text =
        command
            .setUsageHelpAutoWidth(false)
            .setUsageHelpWidth(WIDTH)
            .getUsageMessage(Ansi.OFF)
            .stripTrailing()
            .replaceAll("(?m) +$", "");
    return "\n## %s\n\n```\n%s\n```\n".formatted(name, text);
  }
}
