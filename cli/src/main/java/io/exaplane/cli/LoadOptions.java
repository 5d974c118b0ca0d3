// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.version.Durations;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Option;

/** What all loads are asked: which cluster, how long, what to clean up. */
final class LoadOptions {
  private static final int MOST_CONNECTIONS = 10_000;
  private static final double HIGHEST_RATE = 1_000_000;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "Kubeconfig of the cluster (default: as kubectl).")
  Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "Context of the kubeconfig. The command needs --context or --yes.")
  String context;

  @Option(
      names = "--yes",
      description = "Puts the load on the current context's cluster. Needed without --context.")
  private boolean yes;

  @Option(
      names = "--connections",
      paramLabel = "COUNT",
      defaultValue = "0",
      description =
          "Connections that all clients share (default: as many as the watches need, at least 4).")
  private int connections;

  @Option(
      names = "--clean-up",
      description =
          "Only deletes what earlier runs of this command left, for example after a power failure.")
  boolean cleanUp;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      defaultValue = "10m",
      description = "Longest wait for the deletion (default: ${DEFAULT-VALUE}).")
  private String timeout;

  /**
   * Refuses a cluster that nobody named.
   *
   * @param url of the cluster
   */
  void requireConsent(String url) {
    if (!yes && context == null) {
      throw new InvalidInputException(
          "yes",
          url,
          "must be confirmed: the load slows this cluster down for everybody",
          "name the cluster with --context, or set --yes");
    }
  }

  int connections() {
    if (connections < 0 || connections > MOST_CONNECTIONS) {
      throw new InvalidInputException(
          "connections",
          Integer.toString(connections),
          "must lie between 0 and 10,000",
          "set 0 for as many as needed");
    }
    return connections;
  }

  Duration timeout() {
    return duration("timeout", timeout, false);
  }

  static int count(String name, int count, int most) {
    if (count < 1 || count > most) {
      throw new InvalidInputException(
          name,
          Integer.toString(count),
          "must lie between 1 and %,d".formatted(most),
          "see --help");
    }
    return count;
  }

  static double rate(String name, double perSecond) {
    if (!(perSecond > 0 && perSecond <= HIGHEST_RATE)) {
      throw new InvalidInputException(
          name,
          Double.toString(perSecond),
          "must be above 0 and at most 1,000,000",
          "write it as 50, which is per second");
    }
    return perSecond;
  }

  /** A duration of whole seconds, as Leases have. */
  static Duration seconds(String name, String text) {
    Duration length = duration(name, text, false);
    if (length.toNanosPart() != 0) {
      throw new InvalidInputException(name, text, "must be whole seconds", "write it as 40s");
    }
    return length;
  }

  static Duration duration(String name, String text, boolean mayBeNone) {
    try {
      Duration length = Duration.ofNanos(Durations.nanos(text));
      if (length.isPositive() || mayBeNone && length.isZero()) {
        return length;
      }
    } catch (IllegalArgumentException e) {
      // Said below.
    }
    throw new InvalidInputException(
        name, text, "must be a duration" + (mayBeNone ? "" : " above 0"), "write it as 1m");
  }
}
