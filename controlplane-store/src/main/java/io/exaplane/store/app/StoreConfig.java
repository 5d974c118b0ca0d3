// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import io.exaplane.store.api.AutoCompaction;
import io.exaplane.store.api.StoreMoves;
import io.exaplane.store.app.tls.TlsFiles;
import io.exaplane.store.core.SpaceLimits;
import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.kind.PrefixRule;
import java.nio.file.Path;
import java.util.List;

/**
 * How a store runs.
 *
 * @param listen where clients connect
 * @param tls for those with TLS; null if there is none
 * @param listenForMetrics where the pages for probes and Prometheus are, too
 * @param dataDir folder of the journal; null only if all keys are kept in memory
 * @param durability of keys that no rule is for
 * @param rules for keys with certain prefixes
 * @param revisionFloor a revision that was perhaps shown by a store whose folder is lost
 * @param leastRevision one that was seen of this store: it does not start on an older copy
 * @param regionBytes address space for versions of keys
 * @param eventLoops threads that serve connections
 * @param autoCompaction when to compact without being asked; of this store alone
 * @param elidesPrevValues watches of kube-apiserver's caches get no values of versions before
 * @param slowNanos requests that take so long are written into the log; 0 for none
 * @param hasGateway whether clients may speak JSON, too
 * @param connections how many there may be, and what they are shown
 */
public record StoreConfig(
    String name,
    List<Endpoint> listen,
    TlsFiles tls,
    List<Endpoint> listenForMetrics,
    List<String> advertiseClientUrls,
    Path dataDir,
    Durability durability,
    List<PrefixRule> rules,
    SpaceLimits limits,
    long revisionFloor,
    long leastRevision,
    long regionBytes,
    int eventLoops,
    int maxTxnOps,
    int maxRequestBytes,
    AutoCompaction autoCompaction,
    boolean elidesPrevValues,
    long watchProgressNotifyMs,
    long keepAliveMs,
    long keepAliveTimeoutMs,
    long slowNanos,
    boolean hasGateway,
    ConnectionFlags.Bounds connections) {
  /** The largest --max-request-bytes, which every store takes from another one. */
  static final int MOST_REQUEST_BYTES = StoreMoves.MOST_REQUEST_BYTES;

  /** The etcd whose behaviour this is; clients go by it. */
  public static final String ETCD_VERSION = "3.7.3";
}
