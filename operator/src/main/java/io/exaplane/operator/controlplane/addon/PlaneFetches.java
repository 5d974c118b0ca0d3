// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import io.exaplane.api.v1alpha1.AddonSpec;
import io.exaplane.apply.source.Fetch;
import io.exaplane.apply.source.Fetched;
import io.exaplane.apply.source.SourceProblem;
import io.exaplane.apply.source.Unchanged;
import io.exaplane.operator.controlplane.addon.AddonReader.Arrived;
import io.exaplane.operator.controlplane.addon.AddonReader.Fetching;
import io.exaplane.operator.controlplane.addon.AddonReader.Missed;
import io.exaplane.operator.controlplane.addon.AddonReader.Outcome;
import io.exaplane.operator.controlplane.addon.AddonReader.Same;
import io.exaplane.operator.controlplane.addon.AddonReader.Unreadable;
import io.exaplane.operator.metrics.AddonMetrics;
import io.exaplane.operator.metrics.AddonMetrics.Running;
import io.exaplane.operator.metrics.AddonMetrics.Stage;
import io.exaplane.operator.outcome.Refusals;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jboss.logging.Logger;

/** The fetches of one control plane, one after the other. Thread-safe; no method waits. */
final class PlaneFetches {
  private static final Logger LOG = Logger.getLogger(PlaneFetches.class);

  /** Others decide what servers say. */
  private static final int MOST_WORDS = 500;

  /** What an object takes beside its bytes, here and in the engine: names, hash, records. */
  private static final long OBJECT_BYTES = 1024;

  private final OutsideSources sources;
  private final Executor threads;
  private final FetchRoom room;
  private final AddonMetrics metrics;
  private final int mostObjects;
  private final Queue<Task> waiting = new ArrayDeque<>();
  private boolean isBusy;

  /**
   * Of one control plane.
   *
   * @param room what the fetched objects may take
   * @param mostObjects of one source
   */
  PlaneFetches(
      OutsideSources sources,
      Executor threads,
      FetchRoom room,
      AddonMetrics metrics,
      int mostObjects) {
    this.sources = sources;
    this.threads = threads;
    this.room = room;
    this.metrics = metrics;
    this.mostObjects = mostObjects;
  }

  /** Begins a fetch, or puts it behind those of other sources; a source has one at most. */
  Fetching begin(AddonSpec spec, String previous, long heldBytes, Runnable ended) {
    Task task = new Task(spec, previous, heldBytes, ended);
    synchronized (this) {
      waiting.add(task);
    }
    next(false);
    return task;
  }

  private void next(boolean isOver) {
    Task task;
    synchronized (this) {
      isBusy &= !isOver;
      if (isBusy) {
        return;
      }
      task = waiting.poll();
      isBusy = task != null;
    }
    if (task == null) {
      return;
    }
    try {
      threads.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.debugf(e, "the operator ends, and fetches nothing any more");
    }
  }

  private Outcome fetch(AddonSpec spec, String previous, long heldBytes)
      throws InterruptedException {
    Running begun = metrics.begin();
    try {
      Fetch answer = sources.of(spec).fetch(previous);
      metrics.end(Stage.FETCH, begun);
      return switch (answer) {
        case Unchanged _ -> new Same();
        case SourceProblem problem ->
            new Missed(new Unreadable(shown(problem.message()), problem.passing()));
        case Fetched fetched -> taken(fetched, heldBytes);
      };
    } catch (Unreadable e) {
      return new Missed(e);
    } catch (KubernetesClientException e) {
      return new Missed(
          new Unreadable(
              "the Secret of the source can't be read: %s. The operator retries, and reports if this persists"
                  .formatted(Refusals.of(e).text()),
              true));
    }
  }

  private Outcome taken(Fetched fetched, long heldBytes) {
    Running begun = metrics.begin();
    AddonContents contents = AddonContents.within(fetched.files(), mostObjects, room.most());
    metrics.end(Stage.RENDER, begun);
    int objects = contents.objects();
    if (objects > mostObjects) {
      return new Missed(
          new Unreadable(
              "oci and git: the files have more than the %d objects that a fetched source may have; split the source, or name a smaller folder with path"
                  .formatted(mostObjects)));
    }
    long texts =
        fetched.files().values().stream()
            .mapToLong(text -> text.getBytes(StandardCharsets.UTF_8).length)
            .sum();
    // Aliases can make objects longer than their files.
    long bytes = Math.max(texts, contents.bytes());
    return room.take(bytes + OBJECT_BYTES * objects, heldBytes)
        .<Outcome>map(taken -> new Arrived(fetched.revision(), contents, taken))
        .orElseGet(
            () ->
                new Missed(
                    new Unreadable(
                        "oci and git: the files have %d bytes and %d objects. The fetched files of a control plane may have %d bytes together, with 1024 for each object, and less if the operator's memory is full; split the add-ons over ConfigMaps, name a smaller folder with path, or raise the operator's memory limit"
                            .formatted(bytes, objects, room.most()))));
  }

  private static String shown(String words) {
    return words.length() <= MOST_WORDS ? words : words.substring(0, MOST_WORDS) + "…";
  }

  private final class Task implements Fetching, Runnable {
    private final AddonSpec spec;
    private final String previous;
    private final long heldBytes;
    private final Runnable ended;
    private Optional<Outcome> outcome = Optional.empty();
    private Thread thread;
    private boolean isClosed;

    Task(AddonSpec spec, String previous, long heldBytes, Runnable ended) {
      this.spec = spec;
      this.previous = previous;
      this.heldBytes = heldBytes;
      this.ended = ended;
    }

    @Override
    public void run() {
      try {
        if (begins()) {
          end(fetch(spec, previous, heldBytes));
        }
      } catch (InterruptedException e) {
        end(new Missed(new Unreadable("the fetch was interrupted; the operator retries", true)));
      } catch (RuntimeException | Error e) {
        LOG.errorf(e, "the fetch of add-on %s failed by a fault of the operator", spec.name());
        end(
            new Missed(
                new Unreadable(
                    "the operator failed to fetch the source by its own fault, and retries; report the fault with the operator's log",
                    true)));
      } finally {
        next(true);
      }
    }

    private synchronized boolean begins() {
      thread = isClosed ? null : Thread.currentThread();
      return !isClosed;
    }

    private void end(Outcome found) {
      boolean isWanted;
      synchronized (this) {
        thread = null;
        isWanted = !isClosed;
        outcome = isWanted ? Optional.of(found) : Optional.empty();
      }
      // An interrupt that came too late must not meet the thread's next task.
      Thread.interrupted();
      metrics.fetched(
          found instanceof Missed ? "failed" : found instanceof Same ? "unchanged" : "changed");
      if (isWanted) {
        ended.run();
      } else if (found instanceof Arrived arrived) {
        arrived.room().close();
      }
    }

    @Override
    public synchronized Optional<Outcome> outcome() {
      return outcome;
    }

    @Override
    public synchronized void close() {
      isClosed = true;
      if (thread != null) {
        thread.interrupt();
      }
      outcome.ifPresent(
          found -> {
            if (found instanceof Arrived arrived) {
              arrived.room().close();
            }
          });
      outcome = Optional.empty();
    }
  }
}
