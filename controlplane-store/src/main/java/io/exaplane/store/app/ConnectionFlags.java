// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import io.exaplane.store.wire.door.Places;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Bounds of connections, as flags. Set once, by picocli. */
final class ConnectionFlags {
  /** Of the heap: what a connection of HTTP/2 with TLS and some calls may take. */
  private static final long BYTES_PER_CONNECTION = 128 << 10;

  private static final long BYTES_PER_CALL = 8 << 10;
  private static final int LEAST_CONNECTIONS = 512;
  private static final int MOST_CONNECTIONS = 20_000;
  private static final int LEAST_CALLS = 16_384;
  private static final int MOST_CALLS = 1 << 20;
  private static final int PROBES = 256;
  private static final int PROBES_PER_SOURCE = 64;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--max-concurrent-streams",
      defaultValue = "8192",
      description =
          "Largest number of open calls of a client on one connection (default: ${DEFAULT-VALUE}).")
  private long maxConcurrentStreams;

  @Option(
      names = "--max-connections",
      defaultValue = "0",
      description =
          "Largest number of client connections. At this number, idle connections make room for new"
              + " ones. One address gets at most three quarters of them (default: by the memory, 512 to"
              + " 20000, and never more than the limit of open files allows).")
  private int maxConnections;

  @Option(
      names = "--clear-pages",
      defaultValue = "all",
      description =
          "Pages of --listen-metrics-urls for other machines without a certificate: health (/health,"
              + " /livez, /readyz), metrics (also /metrics and /ages), all (also /usage, which names namespaces)"
              + " (default: ${DEFAULT-VALUE}).")
  private ClearPages clearPages;

  /**
   * What the server is held to.
   *
   * @param clients places for connections of gRPC
   * @param probes places for connections of ports that have pages only
   * @param maxStreams calls on one connection
   * @param maxCalls calls on all of them
   */
  record Bounds(
      Places.Limits clients,
      Places.Limits probes,
      int maxStreams,
      int maxCalls,
      ClearPages clearPages) {}

  /**
   * Puts the bounds together.
   *
   * @param heapBytes that there may be
   * @throws ParameterException if a flag's value can't be, with its name
   */
  Bounds bounds(long heapBytes) {
    if (maxConcurrentStreams < 1) {
      throw refused("--max-concurrent-streams", maxConcurrentStreams, "must be 1 or more");
    }
    if (maxConnections < 0) {
      throw refused("--max-connections", maxConnections, "must be 1 or more, or 0 for the default");
    }
    int byMemory =
        Math.clamp(heapBytes / BYTES_PER_CONNECTION, LEAST_CONNECTIONS, MOST_CONNECTIONS);
    int clients = maxConnections > 0 ? maxConnections : byMemory;
    String reason = maxConnections > 0 ? "--max-connections" : "by memory; --max-connections";
    return new Bounds(
        new Places.Limits(clients, Math.max(1, clients * 3 / 4), reason),
        new Places.Limits(PROBES, PROBES_PER_SOURCE, "for probes and metrics"),
        (int) Math.min(Integer.MAX_VALUE, maxConcurrentStreams),
        Math.clamp(heapBytes / BYTES_PER_CALL, LEAST_CALLS, MOST_CALLS),
        clearPages);
  }

  private ParameterException refused(String flag, long value, String rule) {
    return new ParameterException(
        spec.commandLine(), "%s: %d %s; correct it and start again".formatted(flag, value, rule));
  }
}
