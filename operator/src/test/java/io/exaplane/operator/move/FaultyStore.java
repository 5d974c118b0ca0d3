// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;

/** A store behind a network: something happens before each call, and decides what becomes of it. */
final class FaultyStore implements StoreMoves {
  /** What becomes of a call. */
  enum Fate {
    ANSWERED,
    BUSY,
    /** Refused for good. */
    FULL,
    /** The request is lost. */
    LOST,
    /** The request is carried out, and the answer is lost. */
    UNANSWERED,
    /** The answer is lost, and the request is carried out before the next one. */
    LATE,
    /** The operator is killed meanwhile. */
    KILLED
  }

  /** Says what becomes of a call, and may do anything else at that moment. */
  interface Happening {
    Fate before(String call);
  }

  private final FakeStore store;
  private final Happening happening;
  private final Object lock;
  private FakeStore.Call<?> late;

  /**
   * Of a store.
   *
   * @param lock of all that happens
   */
  FaultyStore(FakeStore store, Object lock, Happening happening) {
    this.store = store;
    this.lock = lock;
    this.happening = happening;
  }

  private <T> T call(String name, FakeStore.Call<T> call) throws IOException, InterruptedException {
    synchronized (lock) {
      if (late != null) {
        FakeStore.Call<?> before = late;
        late = null;
        FakeStore.late(before);
      }
      switch (happening.before(name)) {
        case ANSWERED:
          return call.run();
        case BUSY:
          throw new RefusedException(503, "busy; try again");
        case FULL:
          throw new RefusedException(507, "no room: 3 of 3 MiB are used; free some");
        case LOST:
          throw new IOException("cut");
        case UNANSWERED:
          FakeStore.late(call);
          throw new IOException("cut");
        case LATE:
          late = call;
          throw new IOException("cut");
        case KILLED:
          throw new InterruptedException();
        default:
          throw new IllegalStateException(name);
      }
    }
  }

  private void order(String name, MoveCalls.Order order) throws IOException, InterruptedException {
    call(
        name,
        () -> {
          order.send(store);
          return null;
        });
  }

  @Override
  public StoreMoves held(Supplier<Duration> most) {
    return this;
  }

  @Override
  public States states() throws IOException, InterruptedException {
    return call("states", store::states);
  }

  @Override
  public void arrive(MoveKey key, long above, String finished)
      throws IOException, InterruptedException {
    order("arrive", pages -> pages.arrive(key, above, finished));
  }

  @Override
  public void take(MoveKey key, byte[] records) throws IOException, InterruptedException {
    order("take", pages -> pages.take(key, records));
  }

  @Override
  public Page page(MoveKey key, String after) throws IOException, InterruptedException {
    return call("page", () -> store.page(key, after));
  }

  @Override
  public Changes changes(MoveKey key, long after, int waitMs)
      throws IOException, InterruptedException {
    return call("changes", () -> store.changes(key, after, waitMs));
  }

  @Override
  public long freeze(MoveKey key) throws IOException, InterruptedException {
    return call("freeze", () -> store.freeze(key));
  }

  @Override
  public void thaw(MoveKey key) throws IOException, InterruptedException {
    order("thaw", pages -> pages.thaw(key));
  }

  @Override
  public Sum sum(MoveKey key, Duration most) throws IOException, InterruptedException {
    return call("sum", () -> store.sum(key, most));
  }

  @Override
  public long leave(MoveKey key, long frozenAt) throws IOException, InterruptedException {
    return call("leave", () -> store.leave(key, frozenAt));
  }

  @Override
  public void finish(MoveKey key, Sum sum, long above) throws IOException, InterruptedException {
    order("finish", pages -> pages.finish(key, sum, above));
  }

  @Override
  public void abandon(MoveKey key) throws IOException, InterruptedException {
    order("abandon", pages -> pages.abandon(key));
  }

  @Override
  public void clear(MoveKey key) throws IOException, InterruptedException {
    order("clear", pages -> pages.clear(key));
  }
}
