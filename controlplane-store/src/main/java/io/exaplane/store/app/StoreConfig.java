// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Supplier;

/**
 * How a store runs.
 *
 * @param listen where clients connect
 * @param tls for all of these addresses; null for connections in the clear
 * @param regionBytes address space for versions of keys
 * @param eventLoops threads that serve connections
 */
public record StoreConfig(
    String name,
    List<InetSocketAddress> listen,
    Supplier<SslContext> tls,
    List<String> advertiseClientUrls,
    long regionBytes,
    long quotaBytes,
    int eventLoops,
    int maxTxnOps,
    int maxRequestBytes,
    long watchProgressNotifyMs) {

  /** The etcd whose behaviour this is; clients go by it. */
  public static final String ETCD_VERSION = "3.7.3";
}
