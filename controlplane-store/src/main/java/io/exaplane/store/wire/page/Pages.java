// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire.page;

import java.util.function.Consumer;

/** Answers requests for pages. Called by event loops, so that it must not wait. */
public interface Pages {
  /** What a request may bring that no page reads. */
  int USUAL_BODY_BYTES = 64 << 10;

  /**
   * Answers a request.
   *
   * @param to takes the one answer, now or later, by any thread
   */
  void answer(PageRequest request, Consumer<PageAnswer> to);

  /**
   * The largest body that a request may have. One of a path with more than the usual bound is read:
   * it is in the request, and counts until the answer is made.
   *
   * @param target the path, encoded, which may have a query
   */
  default int mostBodyBytes(String target) {
    return USUAL_BODY_BYTES;
  }
}
