// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import picocli.CommandLine.Command;

/** What concerns a store that speaks etcd's protocol, ours or etcd. */
@Command(
    name = "store",
    mixinStandardHelpOptions = true,
    description = {
      "Inspects a running store, Exaplane's or an etcd, and makes room in it.",
      "It needs no kube-apiserver: a store that is full answers these commands, too."
    },
    subcommands = {StoreTopCommand.class, StoreDeleteCommand.class, StoreCompactCommand.class})
final class StoreCommand {
  private StoreCommand() {}
}
