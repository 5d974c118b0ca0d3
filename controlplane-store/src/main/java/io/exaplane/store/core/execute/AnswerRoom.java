// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.execute;

import io.exaplane.store.core.error.StoreException;

/** The memory that an answer may take. Asked before anything is changed. Used by the writer. */
public interface AnswerRoom {
  /** As much as there is. */
  AnswerRoom ENDLESS =
      new AnswerRoom() {
        @Override
        public long mostBytes() {
          return Long.MAX_VALUE;
        }

        @Override
        public void take(long answerBytes, long otherBytes) {}
      };

  /** Bytes that one answer may take when there is no other. */
  long mostBytes();

  /**
   * Takes memory for an answer.
   *
   * @param answerBytes of the encoded answer, or a little more than it will have
   * @param otherBytes that it takes beside until it is encoded
   * @throws StoreException if there is not so much
   */
  void take(long answerBytes, long otherBytes);
}
