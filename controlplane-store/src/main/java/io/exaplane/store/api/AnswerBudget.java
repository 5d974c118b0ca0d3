// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.core.error.StoreException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The heap that answers of the whole process may take while they are made and until their clients
 * have taken them. What has no room is refused. Thread-safe.
 */
final class AnswerBudget {
  /** Answers as kube-apiserver's reads of one object always have room, out of a reserve. */
  private static final long SMALL_BYTES = 64 << 10;

  private final long mostBytes;
  private final AtomicLong taken = new AtomicLong();

  AnswerBudget(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  long mostBytes() {
    return mostBytes;
  }

  /**
   * Takes so many bytes.
   *
   * @throws StoreException if others have them now, or nobody ever could
   */
  void take(long bytes) {
    if (bytes > mostBytes) {
      throw StoreException.answerTooLarge(bytes, mostBytes);
    }
    long most = bytes <= SMALL_BYTES ? mostBytes + mostBytes / 4 : mostBytes;
    if (taken.addAndGet(bytes) > most) {
      taken.addAndGet(-bytes);
      throw StoreException.TOO_MANY_REQUESTS;
    }
  }

  void giveBack(long bytes) {
    taken.addAndGet(-bytes);
  }

  /** Bytes that are taken now. */
  long takenBytes() {
    return taken.get();
  }
}
