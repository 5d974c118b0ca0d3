// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.execute.AnswerRoom;

/**
 * What the answer to the command takes that the writer carries out now. Usual answers are too small
 * to be counted. Used by the writer.
 */
final class WriterAnswers implements AnswerRoom {
  private static final int UNCOUNTED_BYTES = 1 << 10;

  private final AnswerBudget budget;
  private long expected;
  private long taken;

  WriterAnswers(AnswerBudget budget) {
    this.budget = budget;
  }

  @Override
  public long mostBytes() {
    return budget.mostBytes();
  }

  @Override
  public void take(long answerBytes, long otherBytes) {
    if (answerBytes + otherBytes > UNCOUNTED_BYTES) {
      budget.take(answerBytes + otherBytes);
      taken += answerBytes + otherBytes;
      expected += answerBytes;
    }
  }

  /** Gives the writer of the answer room for all of it at once. */
  ReverseWriter prepare(ReverseWriter out) {
    out.expect(expected);
    return out;
  }

  /** Hands over what the command took; whoever gets it gives it back. */
  long handOver() {
    long bytes = taken;
    taken = 0;
    expected = 0;
    return bytes;
  }

  AnswerBudget budget() {
    return budget;
  }
}
