// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.event;

/** Which changes may help pods that a plugin refused. */
public record Registration(String plugin, ClusterEvent event, Hint hint) {}
