// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.api.slow.AskedKeys;
import io.exaplane.store.api.slow.SlowRequest;

/**
 * When a write came to which place. Belongs to whoever has its command: the event loop, then the
 * writer, then the event loop again. Times are those of one clock, in nanoseconds.
 */
final class WriteTimes {
  private long received;
  private long began;
  private long applied;
  private long batchDone;
  private long durable;
  private boolean isRefused;

  /** It came. What else was noted is forgotten. */
  void received(long now) {
    received = now;
    began = now;
    applied = now;
    batchDone = now;
    durable = now;
    isRefused = true;
  }

  /** It was carried out, alone, from one time to another. */
  void applied(long from, long to) {
    began = from;
    applied = to;
  }

  /** It waited for others before it could be carried out, on purpose: that is not slow. */
  void resumed(long now) {
    received = now;
  }

  /** All of its batch was carried out, and then became durable. */
  void durable(long batch, long now) {
    batchDone = batch;
    durable = now;
    isRefused = false;
  }

  /** Time since it came. */
  long since(long now) {
    return now - received;
  }

  /** Time since its answer could go. */
  long sending(long now) {
    return now - durable;
  }

  /**
   * All of it as one request. What the rest of the batch took is time in the queue, too.
   *
   * @param method as {@code KV/Put}
   * @param status gRPC's name of its outcome
   * @param client who asked
   */
  SlowRequest describe(
      String method,
      byte[] message,
      int length,
      long answerBytes,
      long now,
      String status,
      String client) {
    AskedKeys asked = AskedKeys.of(method, message, length);
    long queue = isRefused ? now - received : began - received + batchDone - applied;
    return new SlowRequest(
        method,
        asked,
        asked.count(),
        length,
        answerBytes,
        queue,
        isRefused ? 0 : applied - began,
        isRefused ? 0 : durable - batchDone,
        isRefused ? 0 : now - durable,
        status,
        client);
  }
}
