// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import io.exaplane.store.app.tls.AllowedClients;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Which clients of the CA come in, as flags. Set once, by picocli. */
final class ClientNames {
  private static final String CN = "--client-cert-allowed-cn";
  private static final String HOSTNAME = "--client-cert-allowed-hostname";

  @Option(
      names = CN,
      paramLabel = "NAME",
      split = ",",
      description =
          "Accept only clients whose certificate has this common name. Can be repeated. Default: all"
              + " clients with a certificate of the CA.")
  private List<String> commonNames = List.of();

  @Option(
      names = HOSTNAME,
      paramLabel = "NAME",
      split = ",",
      description =
          "Accept only clients whose certificate is valid for this DNS name or IP address. Can be repeated.")
  private List<String> hostnames = List.of();

  /** The clients that come in. */
  AllowedClients allowed() {
    return new AllowedClients(Set.copyOf(commonNames), Set.copyOf(hostnames));
  }

  /**
   * Holds the flags to what they mean together.
   *
   * @param areAsked whether clients have to show a certificate
   * @throws ParameterException with the rule that they break
   */
  void check(CommandSpec spec, boolean areAsked) {
    boolean isGiven = !commonNames.isEmpty() || !hostnames.isEmpty();
    if (!commonNames.isEmpty() && !hostnames.isEmpty()) {
      throw refused(spec, "exclude each other; choose one");
    }
    if (commonNames.contains("") || hostnames.contains("")) {
      throw refused(spec, "need a name; give one or leave the flag out");
    }
    if (isGiven && !areAsked) {
      throw refused(spec, "need --trusted-ca-file and https URLs; add these and start again");
    }
  }

  private static ParameterException refused(CommandSpec spec, String rule) {
    return new ParameterException(spec.commandLine(), "%s and %s %s".formatted(CN, HOSTNAME, rule));
  }
}
