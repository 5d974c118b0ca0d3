// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pod;

import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Numbers;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a container asks for by the model: applied when there is a node that carries it, since
 * otherwise its pods would be pending for ever. Immutable.
 *
 * @param container what it asks for; nothing when the model's do not fit and it has none
 * @param problem why the model's are not applied
 */
public record ContainerRequests(
    Optional<ResourceRequirements> container, Optional<String> problem) {
  /**
   * Chooses them.
   *
   * @param who for people: "each kube-apiserver"
   * @param field where the user may set them
   * @param running what the container has now: the model's once applied stay while the size does,
   *     whatever becomes of the nodes, since a change replaces pods; and they stay when a larger
   *     size wants what no node carries
   * @param nodes what the nodes of the management cluster give; asked only when it matters
   */
  public static ContainerRequests of(
      String who,
      String field,
      ResourceRequirements wanted,
      Optional<ResourceRequirements> running,
      Supplier<Collection<NodeCapacity>> nodes) {
    Optional<String> problem =
        running.filter(wanted::equals).isPresent()
            ? Optional.empty()
            : problem(wanted, nodes.get());
    if (problem.isEmpty()) {
      return new ContainerRequests(Optional.of(wanted), Optional.empty());
    }
    return new ContainerRequests(
        running,
        Optional.of(
            "%s needs %s. The operator does not apply this until a node is large enough; add such a node, or set %s"
                .formatted(who, problem.get(), field)));
  }

  /** As the API server writes it: 7Gi and not the model's 7168Mi, so that both compare as equal. */
  public static Quantity quantity(String mebibytes) {
    return mebibytes(Long.parseLong(mebibytes.substring(0, mebibytes.length() - "Mi".length())));
  }

  public static Quantity mebibytes(long number) {
    return new Quantity(number % 1024 == 0 ? number / 1024 + "Gi" : number + "Mi");
  }

  private static Optional<String> problem(
      ResourceRequirements wanted, Collection<NodeCapacity> nodes) {
    if (nodes.stream().anyMatch(node -> node.carries(wanted))) {
      return Optional.empty();
    }
    String largest =
        nodes.stream()
            .max(Comparator.comparingLong(NodeCapacity::memoryBytes))
            .map(
                node ->
                    "the largest node has %s and %s cores"
                        .formatted(Bytes.text(node.memoryBytes()), Numbers.text(node.cores())))
            .orElse("no node takes pods: none exists, or all are cordoned or tainted");
    return Optional.of(
        "%s and %s cores, but %s"
            .formatted(
                Bytes.text(NodeCapacity.asked(wanted, "memory")),
                Numbers.text(NodeCapacity.asked(wanted, "cpu")),
                largest));
  }
}
