// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.decision;

import io.exaplane.scheduler.engine.model.PlacedPod;
import java.util.List;

/**
 * Pods that are decided about at one time.
 *
 * @param pods one, or those of a group, the most important first
 * @param grouped whether it is a group, which may have one pod
 */
public record Turn(List<PlacedPod> pods, boolean grouped) {}
