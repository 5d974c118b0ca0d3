// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.wire.GrpcStream;
import java.util.concurrent.TimeUnit;

/**
 * How calls end that can't be served. Who is refused because keys move asks again at once, a
 * hundred times, as etcd's client does: so the answer waits a little, and a move has ten seconds.
 * Until then the call is open like any other, and counts as such.
 */
public final class Refusals {
  static final long PAUSE_MS = 100;

  private Refusals() {}

  /** Ends a call, at once or after the pause. By the call's event loop. */
  public static void fail(GrpcStream stream, StoreException why) {
    if (why == StoreException.MOVING || why == StoreException.MOVED) {
      stream.loop().schedule(() -> end(stream, why), PAUSE_MS, TimeUnit.MILLISECONDS);
    } else {
      stream.fail(why);
    }
  }

  /** Ends a call at once; whoever wants keys that are another store's is to connect anew. */
  public static void end(GrpcStream stream, StoreException why) {
    stream.fail(why);
    if (why == StoreException.MOVED) {
      stream.leave();
    }
  }
}
