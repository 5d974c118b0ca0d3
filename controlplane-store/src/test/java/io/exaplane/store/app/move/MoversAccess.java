// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.move;

import io.exaplane.store.wire.page.PageRequest;

/** Whom the pages of moves let in, for tests of other rooms. */
public final class MoversAccess {
  private MoversAccess() {}

  /** Whether a client comes in whose store asks for certificates. */
  public static boolean letsIn(PageRequest request) {
    return new Movers(true).refusal(request).isEmpty();
  }
}
