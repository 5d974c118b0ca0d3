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
 * @param byShards turns in which shards told where the pod goes
 * @param alone turns in which they could have, but did not answer in time, or not enough
 * @param droppedEvents Events that were not written, because there were too many
 */
public record Counts(
    long decided,
    long bound,
    long failed,
    long refused,
    long preempted,
    long byShards,
    long alone,
    long droppedEvents) {
  /** Of somebody who has not begun. */
  public static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0, 0);
}
