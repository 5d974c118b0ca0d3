// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.discovery;

import io.exaplane.tuning.version.MinorVersion;

/**
 * What a client without a cache asks before its first real request (client-go,
 * discovery/discovery_client.go; KEP-3352).
 *
 * @param requests the real one not counted
 * @param limiterSeconds that the client's own rate limiter keeps it waiting
 */
public record ColdDiscovery(double requests, double limiterSeconds) {
  /** The first minor of client-go that asks for the aggregated document's final version. */
  private static final int CLIENT_ASKS_FOR_V2 = 30;

  /** The first minor of kube-apiserver that no longer has the beta of that document. */
  private static final int SERVER_WITHOUT_BETA = 33;

  private static final int CLIENT_ASKS_FOR_BETA = 26;

  /** kubectl's own start, and what a request and its answer cost client and server together. */
  private static final double START_SECONDS = 0.1;

  private static final double REQUEST_SECONDS = 0.0013;

  /**
   * Of a client of some version at a server of another.
   *
   * @param groupVersions that the server has
   */
  public static ColdDiscovery of(
      MinorVersion server,
      MinorVersion client,
      double groupVersions,
      double burst,
      double requestsPerSecond) {
    boolean aggregated =
        client.atLeast(CLIENT_ASKS_FOR_V2)
            || client.atLeast(CLIENT_ASKS_FOR_BETA) && !server.atLeast(SERVER_WITHOUT_BETA);
    return aggregated
        ? new ColdDiscovery(2, 0)
        : unaggregated(groupVersions, burst, requestsPerSecond);
  }

  /** Each GroupVersion is asked for by itself, through the limiter. */
  public static ColdDiscovery unaggregated(
      double groupVersions, double burst, double requestsPerSecond) {
    double requests = groupVersions + 2;
    return new ColdDiscovery(requests, Math.max(0, (requests - burst) / requestsPerSecond));
  }

  /** Until a kubectl without a cache has its answer, on a machine and network that are not busy. */
  public double seconds() {
    return START_SECONDS + Math.max(limiterSeconds, requests * REQUEST_SECONDS);
  }
}
