// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import io.exaplane.store.journal.CorruptJournalException;
import io.exaplane.store.journal.SeenRevisions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import picocli.CommandLine;

/** Why the store does not start, for whoever looks at its last lines; no flag is to blame. */
final class NotStarted extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Exit code when files were damaged, as in sysexits.h. */
  static final int DAMAGED = 65;

  /** Exit code when the data is older than what was seen of it. */
  static final int OLDER = 66;

  /** Exit code when files or addresses can't be used. */
  static final int UNUSABLE = 1;

  private final int exitCode;

  private NotStarted(String why, int exitCode, Throwable cause) {
    super(why, cause);
    this.exitCode = exitCode;
  }

  private static NotStarted of(String what, StoreConfig config, IOException e) {
    int code =
        switch (e) {
          case CorruptJournalException _ -> DAMAGED;
          case SeenRevisions.OlderDataException _ -> OLDER;
          default -> UNUSABLE;
        };
    String message = "%s: data folder %s: %s".formatted(what, config.dataDir(), words(e));
    return new NotStarted(message, code, e);
  }

  /** Java's own texts are a name alone, or a reason without one. */
  private static String words(IOException e) {
    return switch (e) {
      case NoSuchFileException gone ->
          gone.getFile() + " does not exist and cannot be made; create the folder above it";
      case AccessDeniedException denied ->
          denied.getFile()
              + " must be open to the user of the store, and is not; change its owner or mode";
      case FileSystemException other ->
          "%s; see whether the file system can be written to".formatted(other.getMessage());
      default -> e.getMessage();
    };
  }

  static StoreServer orStart(StoreConfig config) {
    try {
      return StoreServer.start(config);
    } catch (ListenException e) {
      String message =
          "The store does not start: --listen-client-urls or --listen-metrics-urls: the store cannot"
              + " listen on %s: %s; correct the address and start again"
                  .formatted(e.address(), e.getMessage());
      throw new NotStarted(message, UNUSABLE, e);
    } catch (IOException e) {
      throw of("The store does not start", config, e);
    }
  }

  /** Repairs the data folder and tells of it. */
  static void orRepair(StoreConfig config, PrintWriter out) {
    try {
      boolean repaired = StoreServer.repair(config, out::println);
      out.println(
          repaired
              ? "The data folder is repaired; start the store without --repair."
              : "Nothing is damaged, and nothing was changed; start the store without --repair.");
      out.flush();
    } catch (IOException e) {
      throw of("The data folder can't be repaired", config, e);
    }
  }

  /** Tells it in one line, without a trace or the flags. */
  static int tell(Exception failure, CommandLine command, CommandLine.ParseResult given)
      throws Exception {
    if (failure instanceof NotStarted notStarted) {
      command.getErr().println(notStarted.getMessage());
      command.getErr().flush();
      return notStarted.exitCode;
    }
    throw failure;
  }

  /**
   * Tells in one line what is wrong with flags or the files that they name: the last line of a
   * pod's log is all that some see.
   */
  static int tell(CommandLine.ParameterException failure, String... given) {
    CommandLine command = failure.getCommandLine();
    CommandLine.Model.CommandSpec spec = command.getCommandSpec();
    String words =
        failure instanceof CommandLine.UnmatchedArgumentException unknown
            ? EtcdFlags.words(unknown.getUnmatched()).map("; "::concat).orElse("")
            : "";
    command
        .getErr()
        .printf("%s%s (see '%s --help')%n", failure.getMessage(), words, spec.qualifiedName());
    command.getErr().flush();
    return spec.exitCodeOnInvalidInput();
  }
}
