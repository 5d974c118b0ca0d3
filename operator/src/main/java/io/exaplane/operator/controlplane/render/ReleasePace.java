// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.render;

import io.exaplane.api.v1alpha1.RestartSpec;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Optional;

/**
 * How many pods of a component the first container lets start a minute: {@code
 * spec.restart.releasePerMinute}. The number of pods is part of the argument, and it stays while
 * nothing else replaces the pods: scaling alone must not. Pure.
 */
final class ReleasePace {
  static final String ARGUMENT = "--release";

  private ReleasePace() {}

  /**
   * The arguments of the first container; none if all pods may start in the same minute.
   *
   * @param existing the Deployment as it is, if it is
   * @param sameVersion whether its pods have the version that they are to have
   */
  static List<String> arguments(
      RestartSpec policy, int replicas, Optional<Deployment> existing, boolean sameVersion) {
    int perMinute = RestartSpec.releasePerMinute(policy);
    boolean asked = policy != null && policy.releasePerMinute() != null;
    Optional<String> before = existing.flatMap(ReleasePace::argument);
    boolean keeps =
        existing.isPresent()
            && sameVersion
            && (before.isEmpty() ? !asked : before.get().startsWith(perMinute + "/"));
    if (keeps) {
      return before.map(value -> List.of(ARGUMENT, value)).orElse(List.of());
    }
    return replicas <= perMinute ? List.of() : List.of(ARGUMENT, perMinute + "/" + replicas);
  }

  /** Whether the first container of before knows these arguments. */
  static boolean isKnown(List<String> arguments, Deployment existing) {
    return arguments.isEmpty() || argument(existing).isPresent();
  }

  private static Optional<String> argument(Deployment deployment) {
    List<Container> first = deployment.getSpec().getTemplate().getSpec().getInitContainers();
    List<String> command =
        first == null || first.isEmpty() ? List.of() : first.getFirst().getCommand();
    int at = command.indexOf(ARGUMENT);
    return at < 0 || at + 1 == command.size() ? Optional.empty() : Optional.of(command.get(at + 1));
  }
}
