// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model.volume;

import java.util.Map;
import java.util.Set;

/**
 * What a node's kubelet says of CSI drivers.
 *
 * @param drivers all of them
 * @param limits how many volumes of a driver the node takes; those without a limit are not in it
 * @param migrated Kubernetes' own plugins that CSI drivers have taken over on the node
 */
public record CsiNode(
    String name, Set<String> drivers, Map<String, Integer> limits, Set<String> migrated) {}
