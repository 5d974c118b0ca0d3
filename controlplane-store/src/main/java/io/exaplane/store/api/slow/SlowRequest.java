// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.slow;

import java.util.concurrent.TimeUnit;

/**
 * A request that took long, from its arrival until its answer was handed to the connection. Without
 * names of objects and without values.
 *
 * @param method as {@code KV/Range}
 * @param asked which keys it was about
 * @param keys in the answer of a read; operations of a write
 * @param requestBytes of the request's message
 * @param answerBytes of the answer's message
 * @param queueNanos it waited for other requests
 * @param applyNanos it was carried out
 * @param journalNanos it waited until it was durable
 * @param sendNanos its answer waited for its client
 * @param status gRPC's name of its outcome
 * @param client who asked: the name in its certificate, and its address; empty if unknown
 */
public record SlowRequest(
    String method,
    AskedKeys asked,
    long keys,
    long requestBytes,
    long answerBytes,
    long queueNanos,
    long applyNanos,
    long journalNanos,
    long sendNanos,
    String status,
    String client) {

  /** Phases of a request. */
  enum Phase {
    QUEUE,
    APPLY,
    JOURNAL,
    SEND
  }

  /** The same, whose answer has gone out so long after it could be sent. */
  public SlowRequest sentAfter(long nanos) {
    return new SlowRequest(
        method,
        asked,
        keys,
        requestBytes,
        answerBytes,
        queueNanos,
        applyNanos,
        journalNanos,
        nanos,
        status,
        client);
  }

  /** Its time as a whole. */
  public long nanos() {
    return queueNanos + applyNanos + journalNanos + sendNanos;
  }

  /** Where most of its time went. */
  Phase longest() {
    long most = Math.max(Math.max(queueNanos, applyNanos), Math.max(journalNanos, sendNanos));
    if (most == applyNanos) {
      return Phase.APPLY;
    }
    if (most == journalNanos) {
      return Phase.JOURNAL;
    }
    return most == queueNanos ? Phase.QUEUE : Phase.SEND;
  }

  /** A line for the log. */
  String line() {
    return "slow request: "
        + method
        + " took "
        + ms(nanos())
        + " ms: kind "
        + asked.kind()
        + ", prefix "
        + asked.prefix()
        + ", keys "
        + keys
        + ", request "
        + requestBytes
        + " bytes, answer "
        + answerBytes
        + " bytes, queue "
        + ms(queueNanos)
        + " ms, apply "
        + ms(applyNanos)
        + " ms, journal "
        + ms(journalNanos)
        + " ms, send "
        + ms(sendNanos)
        + " ms, status "
        + status
        + (client.isEmpty() ? "" : ", client " + client);
  }

  static long ms(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }
}
