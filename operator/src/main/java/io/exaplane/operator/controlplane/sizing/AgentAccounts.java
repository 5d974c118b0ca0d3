// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.NodePoolStatus;
import io.exaplane.api.v1alpha1.SizingSpec;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The ServiceAccounts of the agents that NodePools list: the model gives them a priority level, as
 * it does to {@code spec.sizing.agents}. Pure.
 */
public final class AgentAccounts {
  private static final Pattern ACCOUNT =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?/[a-z0-9]([-a-z0-9.]*[a-z0-9])?");

  private AgentAccounts() {}

  /**
   * The accounts that pools tell of, as kube-system/cilium, each once, in order. A DaemonSet that
   * is unknown, or whose pods use the account default, has none.
   */
  public static List<String> of(Collection<NodePool> pools) {
    return pools.stream()
        .flatMap(pool -> Stream.ofNullable(pool.getStatus()))
        .flatMap(status -> Stream.ofNullable(status.agents()))
        .flatMap(Collection::stream)
        .map(NodePoolStatus.Agent::serviceAccount)
        .filter(Objects::nonNull)
        .filter(account -> ACCOUNT.matcher(account).matches())
        .distinct()
        .sorted()
        .toList();
  }

  /** A spec with these agents among those of its sizing. */
  static ControlPlaneSpec among(ControlPlaneSpec spec, List<String> agents) {
    return agents.isEmpty()
        ? spec
        : spec.withSizing(SizingSpec.of(spec.sizing()).withAgents(agents));
  }
}
