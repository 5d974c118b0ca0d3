// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.metrics;

import io.exaplane.apply.engine.Counters;
import io.exaplane.apply.entry.Cause;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What the add-ons of all control planes cost their APIs together. No metric carries a name of a
 * control plane or a source. All exist from the start, at 0. Thread-safe.
 */
@ApplicationScoped
@Startup
public class AddonMetrics {
  private final Map<Cause, Counter> applies = new EnumMap<>(Cause.class);
  private final Counter avoided;
  private final Counter refused;
  private final Counter conflicts;
  private final Counter contested;
  private final Counter throttled;
  private final Counter deletions;
  private final Counter lists;
  private final Counter events;
  private final Counter watches;
  private final Counter discoveries;
  private final Counter saves;
  private final Counter bytes;
  private final Map<String, Counter> fetches = new HashMap<>();
  private final Map<Stage, Timer> stages = new EnumMap<>(Stage.class);
  private final MeterRegistry registry;

  /** What a revision of a source goes through. */
  public enum Stage {
    /** Its files come from a registry, a repository, a ConfigMap or a Secret; overlays included. */
    FETCH,
    /** Its files become objects. */
    RENDER,
    /** The engine compares the objects with what it knows, and decides which requests are due. */
    DIFF,
    /** From the comparison on, until nothing is left to do; objects may still be unhealthy. */
    APPLY
  }

  /** A stage that goes on. */
  public static final class Running {
    private final Timer.Sample sample;

    private Running(Timer.Sample sample) {
      this.sample = sample;
    }
  }

  /** Registers all at once. */
  public AddonMetrics(MeterRegistry registry) {
    this.registry = registry;
    for (Cause cause : Cause.values()) {
      applies.put(
          cause,
          Counter.builder("exaplane.addon.applies")
              .description("Objects of add-ons that hosted APIs applied, by the cause.")
              .tag("cause", cause.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
    avoided =
        counter(registry, "applies.avoided", "Applies that were not sent, since nothing changed.");
    refused = counter(registry, "applies.refused", "Applies that hosted APIs refused.");
    conflicts =
        counter(registry, "conflicts", "Applies that failed, since others own fields of objects.");
    contested =
        counter(
            registry,
            "contested",
            "Repairs of objects that others changed three times or more within 10 minutes.");
    throttled =
        counter(registry, "throttled", "Requests with the answer 429 or 503, or without answer.");
    deletions = counter(registry, "deletions", "Objects that sources lost, and that were deleted.");
    lists = counter(registry, "lists", "Pages of lists that were asked for.");
    events = counter(registry, "watch.events", "Events of watches.");
    watches = counter(registry, "watches", "Watches that were asked for.");
    discoveries =
        counter(registry, "discoveries", "Times that hosted APIs were asked for their kinds.");
    saves = counter(registry, "saves", "Times that an inventory was written.");
    bytes = counter(registry, "read.bytes", "Bytes of lists and watches.");
    for (Stage stage : Stage.values()) {
      stages.put(
          stage,
          Timer.builder("exaplane.addon.stage")
              .description("Time that revisions of sources took, by the stage.")
              .tag("stage", stage.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
    for (String result : List.of("changed", "unchanged", "failed")) {
      fetches.put(
          result,
          Counter.builder("exaplane.addon.fetches")
              .description("Fetches from registries and repositories, by the result.")
              .tag("result", result)
              .register(registry));
    }
  }

  private static Counter counter(MeterRegistry registry, String name, String description) {
    return Counter.builder("exaplane.addon." + name).description(description).register(registry);
  }

  /**
   * Counts a fetch.
   *
   * @param result changed, unchanged or failed
   */
  public void fetched(String result) {
    fetches.get(result).increment();
  }

  /** A stage begins now. */
  public Running begin() {
    return new Running(Timer.start(registry));
  }

  /** A stage ended now. */
  public void end(Stage stage, Running begun) {
    begun.sample.stop(stages.get(stage));
  }

  /**
   * Adds what an engine did.
   *
   * @param before what it had done at the last call; empty at the first
   * @param now what it has done
   */
  public void add(Optional<Counters> before, Counters now) {
    for (Cause cause : Cause.values()) {
      applies
          .get(cause)
          .increment(now.applies(cause) - before.map(old -> old.applies(cause)).orElse(0L));
    }
    avoided.increment(now.avoided() - before.map(Counters::avoided).orElse(0L));
    refused.increment(now.refused() - before.map(Counters::refused).orElse(0L));
    conflicts.increment(now.conflicts() - before.map(Counters::conflicts).orElse(0L));
    contested.increment(now.contested() - before.map(Counters::contested).orElse(0L));
    throttled.increment(now.throttled() - before.map(Counters::throttled).orElse(0L));
    deletions.increment(now.deletions() - before.map(Counters::deletions).orElse(0L));
    lists.increment(now.lists() - before.map(Counters::lists).orElse(0L));
    events.increment(now.events() - before.map(Counters::events).orElse(0L));
    watches.increment(now.watches() - before.map(Counters::watches).orElse(0L));
    discoveries.increment(now.discoveries() - before.map(Counters::discoveries).orElse(0L));
    saves.increment(now.saves() - before.map(Counters::saves).orElse(0L));
    bytes.increment(now.bytes() - before.map(Counters::bytes).orElse(0L));
  }
}
