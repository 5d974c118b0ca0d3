// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import io.exaplane.operator.controlplane.sizing.MemoryPressure;
import java.util.List;
import java.util.Optional;

/**
 * What the kube-apiservers of a control plane say of their memory. Immutable.
 *
 * @param pressures of those whose memory fills up, by the pod's name
 * @param definitions the kinds that they serve; empty before any has told
 */
public record ApiServerMemory(
    List<MemoryPressure> pressures, Optional<DefinitionsSeen> definitions) {}
