// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import io.exaplane.store.stats.Counter;
import io.exaplane.store.stats.Histogram;

/** The calls of one method on one event loop. */
final class CallCounters {
  /** gRPC's codes are 0 to 16. */
  static final int CODES = 17;

  final Counter started = new Counter();
  final Counter receivedBytes = new Counter();
  final Counter sentBytes = new Counter();
  final Counter receivedMessages = new Counter();
  final Counter sentMessages = new Counter();
  final Histogram times = new Histogram();
  private final Counter[] handled = new Counter[CODES];

  CallCounters() {
    for (int i = 0; i < CODES; i++) {
      handled[i] = new Counter();
    }
  }

  Counter handled(int code) {
    return handled[Math.clamp(code, 0, CODES - 1)];
  }
}
