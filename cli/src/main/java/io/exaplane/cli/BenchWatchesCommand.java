// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.cli.load.Load;
import io.exaplane.cli.load.WatchesLoad;
import io.exaplane.tuning.model.InvalidInputException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Watches and the latency of their events. */
@Command(
    name = "watches",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Holds many watches of a few objects in a new namespace, and writes the objects at a rate. "
          + "Measures the time from each write to its event at each watch.",
      "The command deletes objects and namespace at the end, also after Ctrl-C. See docs/bench.md.",
      "The account needs to create, list and delete namespaces, and to create, patch, list, watch "
          + "and delete the resource, and to list metadata of objects in the new namespace."
    })
final class BenchWatchesCommand extends LoadCommand {
  private static final int MOST = 1_000_000;
  private static final int MOST_OBJECTS = 10_000;
  private static final int MOST_BYTES = 500_000;
  private static final List<String> RESOURCES = List.of("configmaps", "secrets", "leases");

  @Option(
      names = "--count",
      paramLabel = "COUNT",
      defaultValue = "100",
      description = "Number of watches (default: ${DEFAULT-VALUE}).")
  private int count;

  @Option(
      names = "--rate",
      paramLabel = "NUMBER",
      defaultValue = "10",
      description = "Writes per second, of all objects together (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(
      names = "--duration",
      paramLabel = "DURATION",
      defaultValue = "1m",
      description = "Time in which objects are written (default: ${DEFAULT-VALUE}).")
  private String duration;

  @Option(
      names = "--open-rate",
      paramLabel = "NUMBER",
      defaultValue = "100",
      description = "Watches that are opened per second (default: ${DEFAULT-VALUE}).")
  private double openRate;

  @Option(
      names = "--resource",
      paramLabel = "configmaps|secrets|leases",
      defaultValue = "configmaps",
      description = "Resource that is written and watched (default: ${DEFAULT-VALUE}).")
  private String resource;

  @Option(
      names = "--objects",
      paramLabel = "COUNT",
      defaultValue = "10",
      description = "Number of objects; each watch sees all of them (default: ${DEFAULT-VALUE}).")
  private int objects;

  @Option(
      names = "--bytes",
      paramLabel = "BYTES",
      defaultValue = "1000",
      description = "Data in each ConfigMap or Secret (default: ${DEFAULT-VALUE}).")
  private int bytes;

  @Option(
      names = "--list-first",
      description = "Begins each watch with a LIST, as clients before 1.35 do, not with a stream.")
  private boolean listFirst;

  @Override
  Load load() {
    if (!RESOURCES.contains(resource)) {
      throw new InvalidInputException(
          "resource", resource, "must be configmaps, secrets or leases", "set one of these");
    }
    if (bytes < 0 || bytes > MOST_BYTES) {
      throw new InvalidInputException(
          "bytes", Integer.toString(bytes), "must lie between 0 and 500,000", "see --help");
    }
    return new WatchesLoad(
        new WatchesLoad.Settings(
            LoadOptions.count("count", count, MOST),
            LoadOptions.rate("rate", rate),
            LoadOptions.duration("duration", duration, false),
            LoadOptions.rate("open-rate", openRate),
            resource,
            LoadOptions.count("objects", objects, MOST_OBJECTS),
            bytes,
            !listFirst));
  }
}
