// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.alerts;

import java.util.List;

/** What stores say of themselves: Exaplane's, and etcd where it has the same metrics. */
final class StoreAlerts {
  private static final String POD = Series.PLANE + ", pod";
  private static final String STORE = "Store {{ $labels.pod }} of " + Series.WHERE;
  private static final String LOOK =
      "Run './exa store top' for the store, and see docs/full-store.md.";

  /** Codes of gRPC that tell of the server's trouble, not of the client's question. */
  private static final String FAULTS =
      "grpc_type=\"unary\",grpc_code=~\"Unknown|ResourceExhausted|Internal|Unavailable|DataLoss\"";

  private final AlertInputs inputs;

  private StoreAlerts(AlertInputs inputs) {
    this.inputs = inputs;
  }

  static List<AlertGroup> groups(AlertInputs inputs) {
    StoreAlerts stores = new StoreAlerts(inputs);
    return List.of(
        AlertGroup.of(
            "store-space",
            "stores",
            List.of(
                readOnly(),
                spaceNearlyGone(),
                spaceLow(),
                fills(),
                prefix(),
                index(),
                load(),
                etcdQuota(),
                compacts())),
        AlertGroup.of(
            "store-disk", "stores", List.of(stalled(), diskStuck(), fsync(), restarts(), scrape())),
        AlertGroup.of(
            "store-requests",
            "stores",
            List.of(
                errors(),
                errorsHigh(),
                slowRanges(),
                slowWrites(),
                slowKind(),
                queue(),
                slowWatches(),
                stores.egress(),
                connections(),
                refused(),
                files())),
        AlertGroup.of("leases", "stores", List.of(renewals(), revoked())));
  }

  private static Alert readOnly() {
    return Alert.named("StoreReadOnly")
        .critical("1m")
        .when("max by (%s) (exaplane_store_space_exceeded) == 1".formatted(POD))
        .says(STORE + " is full: users cannot create objects, and pods cannot be started.")
        .then(LOOK + " Deletions still work.")
        .since("the store refuses writes that add data at 100 % of its space");
  }

  private static Alert spaceNearlyGone() {
    return Alert.named("StoreSpaceNearlyGone")
        .critical("2m")
        .when(space("0.95"))
        .says(STORE + " has used {{ $value | humanizePercentage }} of its space.")
        .then(LOOK)
        .since("SpaceNearlyExceeded of the StoreShard: 95 %; at 100 % writes are refused");
  }

  private static Alert spaceLow() {
    return Alert.named("StoreSpaceLow")
        .warning("10m")
        .when(space("0.8"))
        .says(STORE + " has used {{ $value | humanizePercentage }} of its space.")
        .then(LOOK + " Enlarge the store in 'spec.storage.stores' if everything is needed.")
        .since("SpaceScarce of the StoreShard: 80 %; etcd's own alert warns late, at 95 %");
  }

  private static String space(String share) {
    return "max by (%s) (exaplane_store_record_bytes / etcd_server_quota_backend_bytes) > %s"
        .formatted(POD, share);
  }

  private static Alert fills() {
    return Alert.named("StoreFillsWithinHours")
        .warning("15m")
        .when(
            ("max by (%s) (predict_linear(exaplane_store_live_bytes[1h], 4 * 3600)"
                    + " / etcd_server_quota_backend_bytes) > 1"
                    + " and max by (%s) (exaplane_store_live_bytes"
                    + " / etcd_server_quota_backend_bytes) > 0.4")
                .formatted(POD, POD))
        .says(STORE + " is full within 4 hours if it grows as in the last hour.")
        .then(LOOK + " Find the client that creates objects: './exa lists'.")
        .since("reference for etcd: predict_linear over 4 h; below 40 % an hour is a small sample");
  }

  private static Alert prefix() {
    return Alert.named("StorePrefixFull")
        .warning("5m")
        .when(
            ("max by (%s, prefix) (exaplane_store_prefix_bytes"
                    + " / exaplane_store_prefix_quota_bytes) > 0.95")
                .formatted(POD))
        .says(
            STORE
                + " has used {{ $value | humanizePercentage }} of the quota of {{ $labels.prefix }}.")
        .then(LOOK + " Raise the quota in 'memory.prefixes', or delete these objects.")
        .since("at 100 % the store refuses writes that add data below the prefix");
  }

  private static Alert index() {
    return Alert.named("StoreIndexNearLimit")
        .warning("10m")
        .when(
            ("max by (%s) (exaplane_store_index_bytes / exaplane_store_index_limit_bytes) > 0.8")
                .formatted(POD))
        .says(STORE + " has used {{ $value | humanizePercentage }} of the heap for its keys.")
        .then(LOOK + " Many small objects need more memory in 'resources', not a larger quota.")
        .since("as SpaceScarce: 80 %; at 100 % the store refuses writes that add data");
  }

  private static Alert load() {
    return Alert.named("StoreLoadNearLimit")
        .warning("10m")
        .when(
            ("max by (%s) (exaplane_store_load_bytes / exaplane_store_load_quota_bytes) > 0.8")
                .formatted(POD))
        .says(
            STORE
                + " holds objects for {{ $value | humanizePercentage }} of the memory that each"
                + " kube-apiserver has for them.")
        .then(
            LOOK
                + " Delete objects with many small fields, or raise the memory of kube-apiserver and"
                + " 'memory.loadQuota'.")
        .since("as SpaceScarce: 80 %; at 100 % the store refuses writes that add data");
  }

  private static Alert etcdQuota() {
    return Alert.named("EtcdQuotaLow")
        .warning("10m")
        .when(
            ("max by (%s) (etcd_mvcc_db_total_size_in_bytes / etcd_server_quota_backend_bytes) > 0.8"
                    + " unless on (%s) exaplane_store_revision")
                .formatted(POD, POD))
        .says(
            "Etcd {{ $labels.pod }} of "
                + Series.WHERE
                + " has used {{ $value | humanizePercentage }} of its quota.")
        .then("Run './exa store top' for the etcd, delete what is not needed, then defragment.")
        .since("reference/tuning.md §7.2: 80 % of --quota-backend-bytes; at 100 % alarm NOSPACE");
  }

  private static Alert compacts() {
    return Alert.named("StoreCompactsForSpace")
        .warning("0m")
        .when(
            "sum by (%s) (increase(exaplane_store_self_compactions_total[1h])) > 0".formatted(POD))
        .says(
            STORE
                + " dropped history before its time to keep accepting writes: watches that are "
                + "behind list again.")
        .then(LOOK)
        .since("the store compacts by itself only when its space is short");
  }

  private static Alert stalled() {
    return Alert.named("StoreJournalStalled")
        .critical("1m")
        .when("max by (%s) (exaplane_store_journal_stalled) == 1".formatted(POD))
        .says(STORE + " cannot write its journal and refuses all writes.")
        .then("Free room on the volume or enlarge it; read 'kubectl logs' of the pod.")
        .since("JournalStalled of the StoreShard; the store tries again by itself");
  }

  private static Alert diskStuck() {
    return Alert.named("StoreDiskStuck")
        .critical("30s")
        .when("max by (%s) (exaplane_store_disk_wait_seconds) > 5".formatted(POD))
        .says(STORE + " waits {{ $value | humanizeDuration }} for its disk; writes wait as long.")
        .then("Check the volume and its node; a move to another node needs the volume detached.")
        .since("from 5 s on the store is not ready, as long as etcd waits for an answer");
  }

  private static Alert fsync() {
    return Alert.named("StoreDiskSlow")
        .warning("10m")
        .when(Series.quantile(0.99, POD, "etcd_disk_wal_fsync_duration_seconds", "") + " > 0.5")
        .says(STORE + " needs {{ $value | humanizeDuration }} to make a write durable (p99).")
        .then("Compare the volume's latency with its class; look for another user of the disk.")
        .since("etcd mixin, etcdHighFsyncDurations: 0.5 s");
  }

  private static Alert restarts() {
    return Alert.named("StoreRestarts")
        .warning("0m")
        .when(
            "max by (%s) (changes(process_start_time_seconds{job=\"%s\"}[1h])) > 2"
                .formatted(POD, Series.STORE))
        .says(STORE + " started {{ $value }} times within an hour.")
        .then("Run 'kubectl logs --previous' for the pod; see docs/restarts.md.")
        .since("a rollout restarts a store once; three times is a fault");
  }

  private static Alert scrape() {
    return Alert.named("StoreNotScraped")
        .warning("10m")
        .when("max by (%s) (up{job=\"%s\"}) == 0".formatted(POD, Series.STORE))
        .says(STORE + " gives no metrics, so no other alert tells of it.")
        .then("Check that Prometheus reaches port 2381 of the pod, and that the pod runs.")
        .since("a store is back within seconds; 10 min is a network policy or a lost node");
  }

  private static Alert errors() {
    return Alert.named("StoreErrors")
        .warning("10m")
        .when(failing("0.01"))
        .says(STORE + " fails {{ $value | humanizePercentage }} of the requests of kube-apiserver.")
        .then("Read 'kubectl logs' of the pod, then StoreReadOnly and StoreJournalStalled.")
        .since("etcd mixin, etcdHighNumberOfFailedGRPCRequests: 1 %");
  }

  private static Alert errorsHigh() {
    return Alert.named("StoreErrorsHigh")
        .critical("5m")
        .when(failing("0.05"))
        .says(STORE + " fails {{ $value | humanizePercentage }} of the requests of kube-apiserver.")
        .then("Read 'kubectl logs' of the pod, then StoreReadOnly and StoreJournalStalled.")
        .since("etcd mixin, etcdHighNumberOfFailedGRPCRequests: 5 %");
  }

  private static String failing(String share) {
    return Series.rate(POD, "grpc_server_handled_total{" + FAULTS + "}", "5m")
        + " / "
        + Series.rate(POD, "grpc_server_handled_total{grpc_type=\"unary\"}", "5m")
        + " > "
        + share;
  }

  private static Alert slowRanges() {
    return Alert.named("StoreSlowRanges")
        .warning("10m")
        .when(
            Series.quantile(
                    0.99,
                    POD,
                    "grpc_server_handling_seconds",
                    "{grpc_method=~\"Range|RangeStream\"}")
                + " > 0.5")
        .says(STORE + " needs {{ $value | humanizeDuration }} for a range of keys (p99).")
        .then("Run './exa lists' on the audit log to name the clients whose LISTs cause it.")
        .since(
            "half of the second that SIG Scalability's objective gives a request; seed 003 §5.5.3");
  }

  private static Alert slowWrites() {
    return Alert.named("StoreSlowWrites")
        .warning("10m")
        .when(
            Series.quantile(0.99, POD, "grpc_server_handling_seconds", "{grpc_method=\"Txn\"}")
                + " > 0.15")
        .says(STORE + " needs {{ $value | humanizeDuration }} for a write (p99).")
        .then("Compare with StoreDiskSlow and StoreWriteQueue; then check the writers by Kind.")
        .since("etcd mixin, etcdGRPCRequestsSlow: 0.15 s");
  }

  private static Alert slowKind() {
    return Alert.named("StoreSlowKind")
        .warning("10m")
        .when(
            ("sum by (%s, kind, grpc_method, phase)"
                    + " (rate(exaplane_store_slow_requests_total{phase!=\"send\"}[5m])) > 1")
                .formatted(POD))
        .says(
            STORE
                + " answers {{ $value | humanize }} requests a second for {{ $labels.kind }} slowly"
                + " ({{ $labels.grpc_method }}, mostly in the phase {{ $labels.phase }}).")
        .then(
            "Read the lines 'slow request' in 'kubectl logs' of the pod; docs/store.md has the"
                + " phases.")
        .since("100 ms as etcd's warning; one a second is no hiccup. A slow client is 'send'");
  }

  private static Alert queue() {
    return Alert.named("StoreWriteQueue")
        .warning("5m")
        .when("max by (%s) (etcd_server_proposals_pending) > 6000".formatted(POD))
        .says(STORE + " has {{ $value }} writes waiting for the writing thread.")
        .then("Find the Kind: exaplane_store_kind_puts_total. Give this Kind its own store.")
        .since("the model's StoreRate: 60,000 writes/s of a core; 6,000 wait 0.1 s");
  }

  private static Alert slowWatches() {
    return Alert.named("StoreWatchFallsBehind")
        .warning("5m")
        .when(
            ("max by (%s) (exaplane_store_watch_lag_events) > 1000"
                    + " and max by (%s) (exaplane_store_watch_lag_events"
                    + " / exaplane_store_history_events) > 0.5")
                .formatted(POD, POD))
        .says(
            "A watch of store {{ $labels.pod }} of "
                + Series.WHERE
                + " is {{ $value }} events behind and about to be cancelled.")
        .then("Look for a kube-apiserver without CPU or network; it lists everything again.")
        .since("half of the history: behind its start the store cancels a watch");
  }

  private Alert egress() {
    return Alert.named("StoreNetworkFull")
        .warning("10m")
        .when(
            Series.rate(POD, "etcd_network_client_grpc_sent_bytes_total", "5m")
                + " > 0.7 * %d".formatted((long) inputs.storeNetworkBytes()))
        .says(STORE + " sends {{ $value | humanize1024 }}B a second, near its network's limit.")
        .then("Run './exa lists' to find LISTs that reach the store, or give the Kind a store.")
        .since("reference/tuning.md §7.2: 70 % of the network; --store-network sets it");
  }

  private static Alert connections() {
    return Alert.named("StoreConnectionsNearLimit")
        .warning("10m")
        .when(
            ("max by (%s, door) (exaplane_store_connections / exaplane_store_connections_limit)"
                    + " > 0.9")
                .formatted(POD))
        .says(
            STORE
                + " has {{ $value | humanizePercentage }} of its connections taken at the door "
                + "{{ $labels.door }}.")
        .then("Find clients other than kube-apiserver: 'ss -tn' in the pod's network.")
        .since("at 100 % new connections are closed, unless an idle one makes room");
  }

  private static Alert refused() {
    return Alert.named("StoreConnectionsRefused")
        .warning("5m")
        .when(
            "sum by (%s, door) (rate(exaplane_store_connections_refused_total[5m])) > 0"
                .formatted(POD))
        .says(STORE + " closes new connections at the door {{ $labels.door }}.")
        .then("A kube-apiserver that starts now fails. Find the client that holds connections.")
        .since("none is refused while any connection is idle");
  }

  private static Alert files() {
    return Alert.named("StoreCertificateUnusable")
        .warning("5m")
        .when("max by (%s) (exaplane_store_tls_files_unusable) == 1".formatted(POD))
        .says(STORE + " cannot use its new certificate files and keeps the previous ones.")
        .then("Read 'kubectl logs' of the pod; the next start of the store would fail.")
        .since("files are written one after another within a second; 5 min is a bad file");
  }

  private static Alert renewals() {
    String old = "exaplane_store_unwritten_keys{prefix=\"/registry/leases/kube-node-lease/\",";
    String keys = "exaplane_store_kind_keys{prefix=\"/registry/leases/kube-node-lease/\"}";
    return Alert.named("LeaseRenewalLag")
        .critical("2m")
        .when(
            ("(max by (%1$s) (%2$sseconds=\"60\"}) - max by (%1$s) (%2$sseconds=\"1800\"}))"
                    + " / (max by (%1$s) (%3$s) - max by (%1$s) (%2$sseconds=\"1800\"})) > 0.2"
                    + " and max by (%1$s) (%3$s) >= 10")
                .formatted(Series.PLANE, old, keys))
        .says(
            "{{ $value | humanizePercentage }} of the nodes of "
                + Series.WHERE
                + " have not renewed their Lease for a minute: they are about to be NotReady.")
        .then("Check endpoint and network first, then 'kubectl describe cpl'; see docs/guard.md.")
        .since("reference/tuning.md §7.2: less than 80 % renew; the longest renewal is each 25 s");
  }

  private static Alert revoked() {
    return Alert.named("EventLeasesRevoked")
        .warning("10m")
        .when(Series.rate(Series.PLANE, "etcd_debugging_lease_revoked_total", "5m") + " > 1000")
        .says(
            "{{ $value }} leases a second end in the stores of "
                + Series.WHERE
                + ": somebody writes very many Events.")
        .then("Name the writer: kubectl get events -A, sorted by count; lower its rate.")
        .since("reference/tuning.md §7.2: 1,000/s; each deletes the Events that hang on the lease");
  }
}
