// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.dependent;

import io.exaplane.api.v1alpha1.StoreClients;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.names.StoreNames;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Which clients of its CA a store accepts. etcd knows hostnames only: in a control plane its CA
 * issues client certificates to kube-apiservers alone. Pure.
 */
final class ClientRules {
  private static final String COMMON_NAMES = "client-cert-allowed-cn";
  private static final String HOSTNAMES = "client-cert-allowed-hostname";
  private static final Rule APISERVER =
      new Rule(COMMON_NAMES, List.of(ControlPlaneNames.STORE_CLIENT));

  private ClientRules() {}

  /**
   * Names that a client's certificate has one of.
   *
   * @param name of the flag, without dashes before it
   */
  private record Rule(String name, List<String> values) {
    private String value() {
      return String.join(",", values);
    }
  }

  /** Flags of the engine Memory, empty unless a control plane owns the store. */
  static List<String> ofControlPlane(StoreShard shard) {
    return isOwned(shard) ? List.of("--" + APISERVER.name() + "=" + APISERVER.value()) : List.of();
  }

  /** Flags of etcd for the names of the spec, which every etcd has had. */
  static List<String> etcdFlags(StoreShard shard) {
    return asked(shard).map(rule -> "--" + rule.name() + "=" + rule.value()).stream().toList();
  }

  /** The same as a variable and its value: an image of before the flag starts with a variable. */
  static Optional<Map.Entry<String, String>> variable(StoreShard shard) {
    return asked(shard)
        .map(
            rule ->
                Map.entry(
                    "ETCD_" + rule.name().replace('-', '_').toUpperCase(Locale.ROOT),
                    rule.value()));
  }

  private static Optional<Rule> asked(StoreShard shard) {
    StoreClients clients = shard.getSpec().tls().allowedClients();
    if (clients == null || isOwned(shard)) {
      return Optional.empty();
    }
    return Optional.of(
        clients.commonNames() == null
            ? new Rule(HOSTNAMES, clients.hostnames())
            : new Rule(COMMON_NAMES, clients.commonNames()));
  }

  private static boolean isOwned(StoreShard shard) {
    return StoreNames.controlPlaneUid(shard).isPresent();
  }
}
