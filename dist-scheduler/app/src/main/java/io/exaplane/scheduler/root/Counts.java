// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.root;

/**
 * What became of pods so far.
 *
 * @param decided turns in which a node was found
 * @param bound pods that got there
 * @param failed bindings that the server refused
 * @param refused turns in which no node was found
 * @param preempted pods that had to go
 */
public record Counts(long decided, long bound, long failed, long refused, long preempted) {}
