// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import io.exaplane.apply.source.Limits;
import io.exaplane.apply.source.Reach;
import io.exaplane.operator.metrics.AddonMetrics;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Fetches for the add-ons of all control planes: few at once, in threads of their own, within
 * limits. A control plane has one fetch under way, so that a slow registry of one tenant delays
 * others by one fetch. Thread-safe; no method waits.
 */
@ApplicationScoped
public class AddonFetches {
  private static final int THREADS = 3;
  private static final int REST_SECONDS = 30;

  /** Of one source: about what several providers' definitions take. */
  private static final long KEPT = 8L << 20;

  /** Of one control plane. */
  private static final long PLANE = 16L << 20;

  /** The part of the operator's heap that fetched files of all control planes may take. */
  private static final int HEAP_PART = 6;

  private static final Limits OUTSIDE =
      new Limits(
          64L << 20, 32L << 20, KEPT, 2_000, 10_000, 30, Duration.ofSeconds(60), Reach.OUTSIDE);

  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          REST_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          Thread.ofPlatform().daemon().name("addon-fetch-", 0).factory());

  private final FetchRoom room;
  private final AddonMetrics metrics;
  private final Limits limits;

  /** As the operator has it. */
  @Inject
  AddonFetches(AddonMetrics metrics) {
    this(metrics, OUTSIDE, Runtime.getRuntime().maxMemory() / HEAP_PART);
  }

  /**
   * With limits of a test.
   *
   * @param roomBytes that files of all control planes may take
   */
  AddonFetches(AddonMetrics metrics, Limits limits, long roomBytes) {
    this.metrics = metrics;
    this.limits = limits;
    room = FetchRoom.of(roomBytes);
    threads.allowCoreThreadTimeOut(true);
  }

  /** The fetches of one control plane, as long as there is a connection to its API. */
  PlaneFetches of(LabelledSecrets secrets) {
    return new PlaneFetches(
        new OutsideSources(secrets, limits),
        threads,
        room.part(Math.min(PLANE, room.most())),
        metrics,
        limits.objects());
  }

  /** Where all reading is counted. */
  AddonMetrics metrics() {
    return metrics;
  }

  @PreDestroy
  void close() {
    threads.shutdownNow();
  }
}
