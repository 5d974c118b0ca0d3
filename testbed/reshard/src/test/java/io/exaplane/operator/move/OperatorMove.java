// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import io.exaplane.operator.move.MoveState.Phase;
import io.exaplane.operator.move.StoreMoves.Role;
import java.io.IOException;
import java.util.concurrent.Semaphore;

/**
 * The operator's own run of a move, between stores that a test names. The test learns of each
 * request before it is sent, and may end the run there as a killed operator ends. Any thread.
 */
public final class OperatorMove implements AutoCloseable {
  /** Is told of a request that is about to be sent. */
  public interface Before {
    /**
     * A request.
     *
     * @param store name of the store that is asked
     * @param what the last word of its path, as "freeze"
     */
    void request(String store, String what) throws IOException, InterruptedException;
  }

  private static final int COPIES = 1;

  private final MoveKey key;
  private final StoreMovesClient client = new StoreMovesClient();
  private final StoreMoves from;
  private final StoreMoves to;
  private final MoveRun run;
  private final Thread thread;
  private volatile boolean isKilled;

  private OperatorMove(MoveKey key, StoreEnd from, StoreEnd to, Before before) {
    this.key = key;
    this.from = pages(from, before);
    this.to = pages(to, before);
    this.run =
        new MoveRun(
            key,
            new MoveCalls.Side(from.name(), this.from),
            new MoveCalls.Side(to.name(), this.to),
            MoveTiming.USUAL,
            new Semaphore(COPIES),
            _ -> true);
    this.thread =
        Thread.ofVirtual()
            .name("move-" + key.taskUid())
            .uncaughtExceptionHandler(OperatorMove::ended)
            .unstarted(run);
  }

  /** Begins, or goes on with what a run before with the same id began. */
  public static OperatorMove start(
      String id, String prefix, StoreEnd from, StoreEnd to, Before before) {
    OperatorMove move = new OperatorMove(new MoveKey(id, prefix), from, to, before);
    move.thread.start();
    return move;
  }

  private StoreMoves pages(StoreEnd end, Before before) {
    StoreMoves pages =
        client.of(() -> new StoreMovesClient.Target(end.host(), end.port(), end.peer()));
    return new WatchedPages(
        pages,
        what -> {
          before.request(end.name(), what);
          if (isKilled) {
            throw new KilledError();
          }
        });
  }

  private static void ended(Thread thread, Throwable why) {
    if (!(why instanceof KilledError)) {
      System.out.printf("%s ended%n", thread.getName());
      why.printStackTrace();
    }
  }

  /** Ends it before its next request, without another word. */
  public void kill() {
    isKilled = true;
  }

  /** Takes all back, unless the first store has left. */
  public void withdraw() {
    run.withdraw();
  }

  /** Asks for the switch. */
  public void switchOver() {
    run.switchOver();
  }

  /** Waits until all is copied, or the run has ended; true in the first case. */
  public boolean awaitCopied() throws InterruptedException {
    while (thread.isAlive() && run.state().phase() != Phase.Following) {
      Thread.sleep(10);
    }
    return run.state().phase() == Phase.Following && thread.isAlive();
  }

  /** Waits for the end, and returns how far the move is. */
  public MoveState awaitEnd() throws InterruptedException {
    thread.join();
    return run.state();
  }

  /** Whether it was killed, and another one has to go on. */
  public boolean isKilled() {
    return isKilled;
  }

  /** Whether the second store has the Kind for good. */
  public boolean hasArrived() throws IOException, InterruptedException {
    return to.states().is(Role.Arrived, key);
  }

  /** Whether the first store serves as before, and the second one does not. */
  public boolean isTakenBack() throws IOException, InterruptedException {
    boolean isServed =
        from.states().of(key.prefix()).map(StoreMoves.Entry::state).orElse(Role.Arrived)
            == Role.Arrived;
    return isServed && to.states().is(Role.Left, key);
  }

  /** Deletes the keys of the store that has left. */
  public void clear() throws IOException, InterruptedException {
    from.clear(key);
  }

  @Override
  public void close() {
    client.close();
  }

  /** Ends a thread as SIGKILL ends a process: nothing of the run's own code goes on. */
  private static final class KilledError extends Error {
    private static final long serialVersionUID = 1L;

    KilledError() {
      super("the operator was killed");
    }
  }
}
