// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.rollout;

/**
 * How busy one kube-apiserver is, by its own metrics over some seconds. Immutable.
 *
 * @param caches watch caches that the server has
 * @param cachesReady those of them that are initialised
 * @param requestP99Millis 99th percentile of the duration of short requests; 0 without any
 * @param inflightPercent requests at work, of those that the server takes at once; 0 without bound
 * @param relistsPerSecond LISTs, and watches that begin with all objects
 */
public record ServerLoad(
    int caches, int cachesReady, long requestP99Millis, int inflightPercent, int relistsPerSecond) {

  /**
   * From two looks at the same process.
   *
   * @param seconds between them, more than 0
   * @param mostInflight requests that the server takes at once; 0 without bound
   */
  public static ServerLoad between(
      ServerSample before, ServerSample now, double seconds, int mostInflight) {
    return new ServerLoad(
        now.caches().size(),
        (int) now.caches().stream().filter(now.initialised()::contains).count(),
        Math.round(now.since(before).quantile(0.99) * 1_000),
        mostInflight <= 0 ? 0 : (int) Math.round(100 * now.inflight() / mostInflight),
        (int) Math.round(Math.max(0, now.lists() - before.lists()) / seconds));
  }
}
