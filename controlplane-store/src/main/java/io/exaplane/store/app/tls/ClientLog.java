// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.tls;

import io.exaplane.store.wire.SparseLog;
import io.exaplane.store.wire.page.ClientName;
import java.security.cert.X509Certificate;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Says whose certificate opened connections, and whose did not: once for each subject and address,
 * then again with the number since when a minute has gone by. A client that comes from everywhere
 * costs at most so many lines a minute. Thread-safe.
 */
final class ClientLog {
  private final Consumer<String> info;
  private final Consumer<String> warning;
  private final SparseLog lines;

  ClientLog(Consumer<String> info, Consumer<String> warning, LongSupplier nanoTime) {
    this.info = info;
    this.warning = warning;
    this.lines =
        new SparseLog(
            "more clients connect than the log names; the log names clients again in a minute",
            nanoTime);
  }

  /** The subject of a client's own certificate; empty if it showed none. */
  static String subject(X509Certificate[] chain) {
    return chain.length == 0 ? "" : ClientName.subject(chain[0]);
  }

  void connected(String subject, String address) {
    lines.say(info, "client %s connected from %s".formatted(subject, address));
  }

  void refused(String subject, String address, String why) {
    lines.say(warning, "refused client %s from %s: %s".formatted(subject, address, why));
  }
}
