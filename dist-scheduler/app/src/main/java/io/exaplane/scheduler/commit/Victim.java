// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

/**
 * A pod that has to go for others.
 *
 * @param pod with its uid only if it is not known to be on the node yet
 * @param node that it is to leave
 */
public record Victim(PodRef pod, String node) {}
