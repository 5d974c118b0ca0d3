// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.port;

/**
 * How busy one API server is, as its page of metrics says. Immutable. A figure that the page lacks
 * is negative.
 *
 * @param liveBytes of the heap: what the last collection could not free
 * @param residentBytes of the process
 * @param limitBytes the soft limit of the heap, GOMEMLIMIT; negative without one
 * @param seats seats of requests that run now
 * @param allSeats seats that there are
 * @param queued requests that wait for a seat
 * @param rejected requests that got none, since the server started: answers 429
 * @param collections of garbage that ended since the server started: a new one means a new {@code
 *     liveBytes}
 */
public record ServerLoad(
    double liveBytes,
    double residentBytes,
    double limitBytes,
    double seats,
    double allSeats,
    double queued,
    double rejected,
    double collections) {
  /** Of a server that tells nothing. */
  public static final ServerLoad UNKNOWN = new ServerLoad(-1, -1, -1, -1, -1, -1, -1, -1);

  /**
   * Whether live heap and its limit are known.
   *
   * @return true when both are
   */
  public boolean knowsMemory() {
    return liveBytes > 0 && limitBytes > 0;
  }
}
