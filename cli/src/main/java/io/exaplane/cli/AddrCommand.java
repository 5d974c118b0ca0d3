// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import picocli.CommandLine.Command;

/** What concerns the addresses of nodes and pods. */
@Command(
    name = "addr",
    mixinStandardHelpOptions = true,
    description = "Plans the IPv6 addresses of nodes and pods.",
    subcommands = AddrPlanCommand.class)
final class AddrCommand {
  private AddrCommand() {}
}
