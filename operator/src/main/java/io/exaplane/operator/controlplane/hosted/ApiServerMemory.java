// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import io.exaplane.operator.controlplane.sizing.MemoryPressure;
import java.util.List;

/**
 * What the kube-apiservers of a control plane say of their memory. Immutable.
 *
 * @param pressures of those whose memory fills up, by the pod's name
 */
public record ApiServerMemory(List<MemoryPressure> pressures) {}
