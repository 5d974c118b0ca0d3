// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire.page;

import java.util.function.Consumer;

/** Answers requests for pages. Called by event loops, so that it must not wait. */
public interface Pages {
  /**
   * Answers a request.
   *
   * @param to takes the one answer, now or later, by any thread
   */
  void answer(PageRequest request, Consumer<PageAnswer> to);
}
