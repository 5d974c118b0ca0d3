// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What concerns a scheduler of several processes. */
@Command(
    name = "pool",
    mixinStandardHelpOptions = true,
    description = "Looks at a scheduler of several processes.",
    subcommands = PoolTopCommand.class)
final class PoolCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name what to look at: top");
  }
}
