// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.reshard;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.move.MoveState;
import io.exaplane.operator.move.MoveState.Phase;
import io.exaplane.operator.move.OperatorMove;
import java.io.IOException;
import java.util.Map;

/**
 * A move of a bed's Kind to the other store, by the operator's run and the route. What the steps of
 * the operator's task do around a run, this does. One thread, but for what is told before a step.
 */
final class Move implements AutoCloseable {
  private static final int ATTEMPTS = 5;

  /** What is about to be done. */
  enum Step {
    ARRIVE,
    /** The first records are sent. */
    COPY,
    /** All is copied. */
    SELECT,
    FREEZE,
    LAST_CHANGES,
    SUM,
    LEAVE,
    FINISH,
    DONE
  }

  /** Is told of each step once, before it is done. */
  interface Before {
    void step(Step step, Move move) throws IOException;
  }

  private static final Map<String, Step> STEPS =
      Map.of(
          "arrive", Step.ARRIVE,
          "take", Step.COPY,
          "freeze", Step.FREEZE,
          "leave", Step.LEAVE,
          "finish", Step.FINISH);
  private static final Map<String, Step> STEPS_OF_FROZEN =
      Map.of("changes", Step.LAST_CHANGES, "sum", Step.SUM);

  private final Bed bed;
  private final String id;
  private final Store from;
  private final Store to;
  private final Before before;
  private Step last;
  private OperatorMove run;

  Move(Bed bed, String id, Before before) {
    this.bed = bed;
    this.id = id;
    this.from = bed.from();
    this.to = bed.to();
    this.before = before;
  }

  Store from() {
    return from;
  }

  Store to() {
    return to;
  }

  /** From the beginning to the end: whoever carries it out and is killed has a successor. */
  MoveState run() throws IOException, InterruptedException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      begin();
      if (run.awaitCopied()) {
        at(Step.SELECT);
        bed.route.select(to);
        run.switchOver();
      }
      MoveState state = run.awaitEnd();
      if (state.phase() == Phase.Switched) {
        bed.route.select(to);
        at(Step.DONE);
        return state;
      }
      if (state.phase() == Phase.Abandoned) {
        bed.route.select(from);
        return state;
      }
      System.out.printf("%s: %s: %s%n", id, state.phase(), state.words());
      if (!run.isKilled()) {
        bed.route.select(from);
      }
    }
    throw new AssertionError("the move %s came to no end".formatted(id));
  }

  private void begin() {
    if (run != null) {
      run.close();
    }
    run = OperatorMove.start(id, bed.kind.prefix, bed.end(from), bed.end(to), this::request);
  }

  private void request(String store, String what) throws IOException {
    Step step = STEPS.get(what);
    if (step == null && last != null && last.compareTo(Step.FREEZE) >= 0) {
      step = STEPS_OF_FROZEN.get(what);
    }
    if (step != null) {
      at(step);
    }
  }

  private synchronized void at(Step step) throws IOException {
    if (last == null || step.compareTo(last) > 0) {
      last = step;
      before.step(step, this);
    }
  }

  /** Ends who carries it out, as SIGKILL does. */
  void kill() {
    run.kill();
  }

  /** Takes all back. */
  void withdraw() {
    run.withdraw();
  }

  /** The store that left still has keys, which are of no use. */
  void clear() throws IOException, InterruptedException {
    run.clear();
  }

  /** Holds the stores to a move that ended. */
  void checkArrived() throws IOException, InterruptedException {
    assertThat(run.hasArrived()).isTrue();
    assertThat(bed.from()).isEqualTo(to);
  }

  /** Holds the stores to a move that was taken back. */
  void checkTakenBack() throws IOException, InterruptedException {
    assertThat(run.isTakenBack()).isTrue();
    assertThat(bed.from()).isEqualTo(from);
  }

  @Override
  public void close() {
    if (run != null) {
      run.close();
    }
  }
}
