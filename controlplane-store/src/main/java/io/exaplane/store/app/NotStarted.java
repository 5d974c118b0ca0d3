// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import picocli.CommandLine;

/** Why the store does not start, for whoever looks at its last lines; no flag is to blame. */
final class NotStarted extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Exit code when files were damaged, as in sysexits.h. */
  static final int DAMAGED = 65;

  /** Exit code when files can't be used. */
  static final int UNUSABLE = 1;

  private final int exitCode;

  NotStarted(String why, int exitCode, Throwable cause) {
    super("The store does not start: " + why, cause);
    this.exitCode = exitCode;
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
}
