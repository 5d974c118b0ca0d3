// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Flags of etcd that this store does not have, and why: for whoever moves from one to the other.
 */
final class EtcdFlags {
  /** Some flags, without dashes and {@code experimental-}, and why the store has none of them. */
  private record Group(Pattern names, String reason) {
    static Group of(String reason, String... names) {
      String any = String.join("|", names);
      return new Group(Pattern.compile("--(?:experimental-)?(?:" + any + ")"), reason);
    }
  }

  /** The first that has a flag counts. */
  private static final List<Group> GROUPS =
      List.of(
          Group.of(
              "the store checks its files at each start",
              "initial-corrupt-check|corrupt-check-time|compact-hash-check-.*"),
          Group.of(
              "this store has one member and no peers",
              "peer-.*|initial-.*|discovery.*|listen-peer-urls|heartbeat-interval|proxy.*",
              "election-timeout|raft-.*|strict-reconfig-check|pre-vote|max-learners",
              "force-new-cluster|downgrade-check-time|snapshot-catchup-entries"),
          Group.of("--durability=buffered does the same", "unsafe-no-fsync"),
          Group.of(
              "the store's files are not etcd's",
              "wal-dir|snapshot-count|max-snapshots|max-wals|backend-.*|memory-mlock",
              "bootstrap-defrag-.*|compaction-batch-limit|compaction-sleep-interval|txn-mode-.*",
              "stop-grpc-service-on-defrag|v2-deprecation|enable-v2.*"),
          Group.of(
              "the store logs lines to standard error", "logger|log-.*|enable-log-rotation|debug"),
          Group.of(
              "this store has no users and roles; see --client-cert-auth",
              "auth-token|auth-token-ttl|bcrypt-cost"),
          Group.of(
              "the store makes no certificates; see --cert-file",
              "auto-tls|self-signed-cert-validity"),
          Group.of(
              "the JSON gateway connects to no other process", "client-cert-file|client-key-file"),
          Group.of("the store serves no browsers; see --client-cert-auth", "cors|host-whitelist"),
          Group.of("client URLs serve HTTP beside gRPC", "listen-client-http-urls"),
          Group.of(
              "the store has fixed values for these", "grpc-keepalive-min-time|socket-reuse-.*"),
          Group.of(
              "/metrics has all metrics, and Java's tools show the rest", "metrics|enable-pprof"),
          Group.of("the store takes flags, and variables ETCD_… of the environment", "config-file"),
          Group.of(
              "see --slow-request-threshold",
              "(enable-)?distributed-tracing.*|warning-apply-duration"),
          Group.of(
              "the store keeps the remaining time of leases over a restart",
              "enable-lease-checkpoint.*"),
          Group.of("the store has no feature gates", "feature-gates"));

  private EtcdFlags() {}

  private static Optional<String> reason(String name) {
    return GROUPS.stream()
        .filter(group -> group.names.matcher(name).matches())
        .map(Group::reason)
        .findFirst();
  }

  /** Whether a flag, with its dashes, is one of etcd that this store does not have. */
  static boolean has(String name) {
    return reason(name).isPresent();
  }

  /** The words about arguments that no flag of the store is; empty if none is a flag of etcd. */
  static Optional<String> words(List<String> arguments) {
    Map<String, TreeSet<String>> names = new LinkedHashMap<>();
    for (String argument : arguments) {
      String name = argument.replaceFirst("(?s)=.*", "").replaceFirst("^-(?=[a-z])", "--");
      reason(name)
          .ifPresent(reason -> names.computeIfAbsent(reason, _ -> new TreeSet<>()).add(name));
    }
    if (names.isEmpty()) {
      return Optional.empty();
    }
    StringBuilder words = new StringBuilder();
    names.forEach(
        (reason, flags) ->
            words.append(String.join(", ", flags)).append(": ").append(reason).append("; "));
    return Optional.of(words.append("leave these flags of etcd out").toString());
  }
}
