// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.Reason;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** What tells that a container's memory limit is too small. Immutable. */
public sealed interface MemoryShortage permits OutOfMemory, MemoryPressure {
  /** The pod of the container. */
  String pod();

  /** The memory that the container could have; nothing if it had no limit. */
  Optional<Quantity> limit();

  /** For the condition SizingValid. */
  Reason reason();

  /** For people; no whole sentence. */
  String text();

  /** The limit in bytes; 0 without one. */
  default double limitBytes() {
    return limit().map(any -> any.getNumericalAmount().doubleValue()).orElse(0.0);
  }

  /**
   * That of the largest limit: pods of a smaller one say nothing of the larger one that took its
   * place. Of two with one limit, the one that was killed counts.
   */
  static Optional<MemoryShortage> worst(
      Optional<OutOfMemory> killed, Collection<MemoryPressure> pressed) {
    return Stream.<MemoryShortage>concat(
            killed.stream(),
            pressed.stream().sorted(Comparator.comparing(MemoryPressure::pod).reversed()))
        .reduce((one, other) -> other.limitBytes() > one.limitBytes() ? other : one);
  }
}
