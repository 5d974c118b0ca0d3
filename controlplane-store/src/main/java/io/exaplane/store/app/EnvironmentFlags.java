// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Flags of the server that are given as variables of the environment, as etcd takes them: {@code
 * ETCD_LISTEN_CLIENT_URLS} for {@code --listen-client-urls}. A flag counts more. Immutable.
 */
final class EnvironmentFlags implements IDefaultValueProvider {
  private static final String PREFIX = "ETCD_";

  private final Map<String, String> environment;

  EnvironmentFlags(Map<String, String> environment) {
    this.environment = environment;
  }

  /** A variable for each name, the usual one first. */
  private static Stream<String> variables(OptionSpec option) {
    return Stream.of(option.names())
        .filter(name -> name.startsWith("--"))
        .map(name -> PREFIX + name.substring(2).replace('-', '_').toUpperCase(Locale.ROOT));
  }

  /** {@code ETCD_VERSION} says in many an image which etcd it has. */
  private static boolean isFlag(OptionSpec option) {
    return option.longestName().startsWith("--") && !option.usageHelp() && !option.versionHelp();
  }

  @Override
  public String defaultValue(ArgSpec argument) {
    if (!(argument instanceof OptionSpec option) || !isFlag(option)) {
      return null;
    }
    // Manifests name a variable with an empty value for none, which etcd takes so.
    return variables(option)
        .map(environment::get)
        .filter(value -> value != null && !value.isEmpty())
        .findFirst()
        .orElse(null);
  }

  /** Variables that look as if they were flags and are none. */
  Set<String> unknown(CommandSpec command) {
    Set<String> known =
        command.options().stream()
            .filter(EnvironmentFlags::isFlag)
            .flatMap(EnvironmentFlags::variables)
            .collect(Collectors.toSet());
    return environment.keySet().stream()
        .filter(name -> name.startsWith(PREFIX) && !known.contains(name))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Tells of them, as etcd does: one is a typing error, or a flag that this store does not have.
   */
  static void warn(CommandSpec command) {
    if (command.defaultValueProvider() instanceof EnvironmentFlags flags) {
      PrintWriter err = command.commandLine().getErr();
      for (String name : flags.unknown(command)) {
        err.printf("%s in the environment is not a flag of this store and is ignored%n", name);
      }
      err.flush();
    }
  }

  /** Has the server's command, not those below it, take them. */
  static CommandLine addTo(CommandLine command, Map<String, String> environment) {
    command.getCommandSpec().defaultValueProvider(new EnvironmentFlags(environment));
    return command;
  }
}
