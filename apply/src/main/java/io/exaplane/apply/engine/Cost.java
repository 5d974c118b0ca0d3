// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

/**
 * What one source cost its server since the engine knows the source. Lists, watches and discovery
 * are not in it: sources of an engine share them, and {@link Counters} has them. Immutable.
 *
 * @param requests applies, deletions, and reads and writes of the inventory that were sent
 * @param sentBytes of the objects in these requests; the inventory's own are not counted
 */
public record Cost(long requests, long sentBytes) {
  /** Of a source that sent nothing. */
  public static final Cost NONE = new Cost(0, 0);

  /**
   * What came since an earlier look.
   *
   * @param before at that look
   * @return the difference; all of it if another engine counted then
   */
  public Cost since(Cost before) {
    return before.requests > requests || before.sentBytes > sentBytes
        ? this
        : new Cost(requests - before.requests, sentBytes - before.sentBytes);
  }
}
