// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import io.exaplane.api.v1alpha1.ControlPlaneTask;
import io.exaplane.operator.move.MoveCalls.Side;
import io.exaplane.operator.move.MoveState.Phase;
import io.exaplane.operator.move.StoreMoves.RefusedException;
import io.exaplane.operator.move.StoreMoves.Role;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.jboss.logging.Logger;

/** The moves of this operator, each in a virtual thread. Thread-safe. */
@ApplicationScoped
public class MoveRuns implements Movers {
  private static final Logger LOG = Logger.getLogger(MoveRuns.class);

  /** Copies at once. Each has a page of a store in memory, twice while the client reads it. */
  private static final int COPIES = 4;

  /** Runs that are told to end have so long to thaw a store. */
  private static final Duration GRACE = Duration.ofSeconds(6);

  /** The tasks that exist. */
  interface Tasks {
    /** Whether one exists in the namespace of a move; asks the API server, and no cache. */
    boolean exist(MoveEnds ends, String uid) throws IOException;
  }

  private record Running(MoveRun run, Thread thread) {}

  private final Map<MoveKey, Running> runs = new ConcurrentHashMap<>();
  private final Map<MoveKey, Clearing> clearings = new ConcurrentHashMap<>();
  private final Semaphore places = new Semaphore(COPIES);
  private final MoveTiming timing;
  private final BiFunction<MoveEnds, String, StoreMoves> stores;
  private final Tasks tasks;
  private final Runnable close;

  /** With stores of the management cluster. */
  @Inject
  MoveRuns(KubernetesClient client, Clock clock) {
    this(client, clock, new StoreMovesClient());
  }

  private MoveRuns(KubernetesClient client, Clock clock, StoreMovesClient http) {
    this(
        MoveTiming.USUAL,
        (ends, store) -> http.of(new StoreTarget(ends.controlPlane(), store, client, clock)),
        (ends, uid) -> exists(ends, uid, client),
        http::close);
  }

  /**
   * With stores from elsewhere.
   *
   * @param stores the pages of a store by its name
   * @param tasks those that exist
   * @param close called after the last run has ended
   */
  MoveRuns(
      MoveTiming timing,
      BiFunction<MoveEnds, String, StoreMoves> stores,
      Tasks tasks,
      Runnable close) {
    this.timing = timing;
    this.stores = stores;
    this.tasks = tasks;
    this.close = close;
  }

  private static boolean exists(MoveEnds ends, String uid, KubernetesClient client)
      throws IOException {
    try {
      return client
          .resources(ControlPlaneTask.class)
          .inNamespace(ends.controlPlane().getMetadata().getNamespace())
          .list()
          .getItems()
          .stream()
          .anyMatch(task -> task.getMetadata().getUid().equals(uid));
    } catch (KubernetesClientException e) {
      throw new IOException("the API server does not list the tasks", e);
    }
  }

  @Override
  public MoveState look(MoveKey key) {
    Running known = runs.get(key);
    return known == null ? MoveState.NONE : known.run().state();
  }

  @Override
  public Optional<String> obstacle(MoveEnds ends) {
    Map<String, String> found = new ConcurrentHashMap<>();
    List<Thread> asking =
        List.of(ends.fromStore(), ends.toStore()).stream()
            .map(
                store ->
                    Thread.ofVirtual()
                        .name("move-obstacle")
                        .start(() -> obstacle(ends, store).ifPresent(why -> found.put(store, why))))
            .toList();
    try {
      for (Thread one : asking) {
        one.join();
      }
    } catch (InterruptedException e) {
      asking.forEach(Thread::interrupt);
      Thread.currentThread().interrupt();
      return Optional.of("The operator ends, and another one asks the stores.");
    }
    return Optional.ofNullable(found.get(ends.fromStore()))
        .or(() -> Optional.ofNullable(found.get(ends.toStore())));
  }

  private Optional<String> obstacle(MoveEnds ends, String store) {
    try {
      stores.apply(ends, store).states();
      return Optional.empty();
    } catch (RefusedException e) {
      return Optional.of(
          e.status() == HttpURLConnection.HTTP_NOT_FOUND
              ? "Store %s cannot take part in a move, since its image is older than this operator. Set spec.rollout.bundle of the ControlPlane to the running operator's bundle, which replaces the image."
                  .formatted(store)
              : "Store %s refuses 'GET /moves': %s.".formatted(store, MoveCalls.words(e)));
    } catch (StoreGoneException e) {
      return Optional.of(e.getMessage());
    } catch (IOException e) {
      return Optional.of(
          "Store %s does not answer 'GET /moves': %s. See the Ready condition of its StoreShard."
              .formatted(store, MoveCalls.words(e)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("The operator ends, and another one asks the stores.");
    }
  }

  @Override
  public void start(MoveKey key, MoveEnds ends) {
    runs.computeIfAbsent(key, _ -> begin(key, ends, false));
  }

  @Override
  public void switchOver(MoveKey key) {
    Running known = runs.get(key);
    if (known != null) {
      known.run().switchOver();
    }
  }

  @Override
  public void abandon(MoveKey key, MoveEnds ends) {
    runs.compute(
        key,
        (_, known) -> {
          boolean over = known == null || known.run().state().phase() == Phase.Failed;
          if (over) {
            return begin(key, ends, true);
          }
          known.run().withdraw();
          return known;
        });
  }

  private Running begin(MoveKey key, MoveEnds ends, boolean withdrawn) {
    MoveRun run =
        new MoveRun(
            key,
            new Side(ends.fromStore(), stores.apply(ends, ends.fromStore())),
            new Side(ends.toStore(), stores.apply(ends, ends.toStore())),
            timing,
            places,
            uid -> tasks.exist(ends, uid));
    if (withdrawn) {
      run.withdraw();
    }
    return new Running(run, Thread.ofVirtual().name("move-" + key.prefix()).start(run));
  }

  @Override
  public boolean clear(MoveKey key, MoveEnds ends) {
    Clearing clearing =
        clearings.computeIfAbsent(
            key,
            _ ->
                new Clearing(
                    key,
                    stores.apply(ends, ends.fromStore()),
                    new Side(ends.toStore(), stores.apply(ends, ends.toStore()))));
    return clearing.isDone();
  }

  @Override
  public void forget(MoveKey key) {
    Running known = runs.remove(key);
    if (known != null) {
      known.thread().interrupt();
    }
    clearings.remove(key);
  }

  @PreDestroy
  void stop() {
    runs.values().forEach(running -> running.thread().interrupt());
    long end = System.nanoTime() + GRACE.toNanos();
    try {
      for (Running running : runs.values()) {
        running.thread().join(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close.run();
    }
  }

  /** The deletion of keys in a store that has left; asked again at each look until it is done. */
  private static final class Clearing {
    private final MoveKey key;
    private final StoreMoves pages;
    private final Side to;
    private final AtomicInteger asking = new AtomicInteger();
    private volatile boolean done;

    Clearing(MoveKey key, StoreMoves pages, Side to) {
      this.key = key;
      this.pages = pages;
      this.to = to;
    }

    boolean isDone() {
      if (!done && asking.compareAndSet(0, 1)) {
        Thread.ofVirtual().name("move-clear-" + key.prefix()).start(this::ask);
      }
      return done;
    }

    private void ask() {
      try {
        if (to.pages().states().is(Role.Arrived, key)) {
          pages.clear(key);
          done = true;
        } else {
          LOG.infof(
              "%s is not cleared yet: store %s has not finished the move",
              key.prefix(), to.store());
        }
      } catch (IOException e) {
        LOG.infof("%s is not cleared yet: %s", key.prefix(), MoveCalls.words(e));
      } catch (StoreGoneException e) {
        done = true;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        asking.set(0);
      }
    }
  }
}
