// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.cli.measure.FileFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Pages for man. */
@Command(
    name = "man",
    mixinStandardHelpOptions = true,
    description = {
      "Writes a man page for each command into a folder.",
      "In the folder ~/.local/share/man/man1, 'man' finds the pages by their names, for example 'man kubectl-exaplane-status'. Pages of the same names are replaced."
    })
final class ManCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FOLDER", description = "The folder. It is created if it is missing.")
  private Path folder;

  @Override
  public Integer call() throws IOException {
    Map<String, String> pages = ManPages.of(Exactl.commandLine(), BuildVersion.number());
    try {
      Files.createDirectories(folder);
      for (Map.Entry<String, String> page : pages.entrySet()) {
        Files.writeString(
            folder.resolve(page.getKey()), page.getValue(), StandardCharsets.US_ASCII);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "FOLDER: '%s' cannot be written (%s); name a folder in which you may write"
              .formatted(folder, FileFailure.reason(e)),
          e);
    }
    spec.commandLine()
        .getOut()
        .printf(
            "%d pages in %s; read one with 'man %s'%n",
            pages.size(), folder, folder.resolve(pages.keySet().iterator().next()));
    spec.commandLine().getOut().flush();
    return 0;
  }
}
