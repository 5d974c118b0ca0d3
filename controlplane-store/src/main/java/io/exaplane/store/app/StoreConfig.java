// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * How a store runs.
 *
 * @param listen where clients connect
 * @param regionBytes address space for versions of keys
 * @param eventLoops threads that serve connections
 */
public record StoreConfig(
    String name,
    List<InetSocketAddress> listen,
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
