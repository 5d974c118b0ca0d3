// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.usage;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a store is asked: one whose disk is full has no ready pod, and knows why. */
class StoreHostsTest {
  private static final String RUNS = "containerStatuses: [{name: store, state: {running: {}}}]";
  private static final Function<String, Optional<Secret>> NO_SECRETS = _ -> Optional.empty();

  /** What a status says of the store, whether it answered before, and whether it is asked. */
  @ParameterizedTest
  @CsvSource({
    "True, AsExpected, false, true",
    "True, AsExpected, true, true",
    "False, Starting, false, false",
    "False, StoreUnavailable, true, false",
    "False, TLSSecretMissing, false, false",
    "False, TLSSecretMissing, true, true",
    "False, ClaimOfAnother, true, true",
    "False, StoreDataLost, true, true"
  })
  void whereNoPodIsReadyTheServiceLeadsToNobody(
      String ready, String reason, boolean answered, boolean asks) {
    StoreShard shard = shard(ready, reason, answered);
    assertThat(StoreHosts.mayAnswer(shard.getStatus())).isEqualTo(asks);
    assertThat(StoreHosts.ofService(shard).isPresent()).isEqualTo(asks);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // name | metadata | status | host
        "demo-default-0 |                                         | podIP: 10.0.0.7, "
            + RUNS
            + " | 10.0.0.7",
        "demo-default-0 |                                         | podIP: 'fd00::7', "
            + RUNS
            + " | [fd00::7]",
        "demo-default-0 |                                         | " + RUNS + " | ",
        "demo-default-0 |                                         | podIP: 10.0.0.7 | ",
        "demo-default-0 |                                         | podIP: 10.0.0.7, containerStatuses: [{name: store, state: {waiting: {}}}] | ",
        "demo-default-0 | deletionTimestamp: 2026-11-26T10:00:00Z | podIP: 10.0.0.7, "
            + RUNS
            + " | ",
        "another        |                                         | podIP: 10.0.0.7, "
            + RUNS
            + " | ",
      })
  void aPodThatRunsIsAskedAtItsAddress(String name, String metadata, String status, String host) {
    assertThat(
            StoreHosts.ofPod(
                shard("False", "StoreUnavailable", true), List.of(pod(name, metadata, status))))
        .isEqualTo(Optional.ofNullable(host));
  }

  @Test
  void aStoreWithoutAReadyPodTellsOfItsDiskUntilItIsReadyAgain() throws Exception {
    List<String> asked = new ArrayList<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          asked.add(exchange.getRequestURI().getPath());
          byte[] page = STALLED.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    server.start();
    try {
      StorePages pages = new StorePages(Clock.systemUTC(), 1, server.getAddress().getPort());
      StoreProbe probe = new StoreProbe(Clock.systemUTC(), pages);
      StoreShard away = shard("False", "StoreUnavailable", true);
      List<Pod> pods = List.of(pod("demo-default-0", null, "podIP: 127.0.0.1, " + RUNS));
      assertThat(probe.ask(away, pods, NO_SECRETS)).singleElement().matches(StoreUsage::stalled);
      assertThat(asked).containsExactly("/metrics");
      assertThat(probe.unready("u")).contains("127.0.0.1");
      assertThat(probe.ask(away, Set.of(), NO_SECRETS)).isEmpty();
      assertThat(probe.unready("u")).isEmpty();
      probe.ask(away, pods, NO_SECRETS);
      StoreShard back = shard("True", "AsExpected", true);
      assertThat(probe.ask(back, pods, NO_SECRETS)).as("by its Service").hasSize(1);
      assertThat(probe.unready("u")).isEmpty();
    } finally {
      server.stop(0);
    }
  }

  static final String STALLED =
      """
      exaplane_store_revision 9.0
      exaplane_store_compacted_revision 3.0
      exaplane_store_journal_stalled 1.0
      exaplane_store_space_exceeded 0.0
      exaplane_store_record_bytes 1.0
      etcd_server_quota_backend_bytes 1.0E9
      etcd_debugging_mvcc_keys_total 1.0
      etcd_debugging_mvcc_watcher_total 5.0
      process_start_time_seconds 1.0
      """;

  private static StoreShard shard(String ready, String reason, boolean answered) {
    StoreShard shard =
        Serialization.unmarshal(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: StoreShard
            metadata: {name: demo-default, namespace: ns, uid: u}
            spec: {engine: Memory}
            """,
            StoreShard.class);
    shard.setStatus(
        Serialization.unmarshal(
            """
            endpoint: https://127.0.0.1:2379
            %s
            conditions:
            - {type: Ready, status: "%s", reason: %s, message: any, lastTransitionTime: t}
            """
                .formatted(
                    answered ? "startTime: 2026-01-01T00:00:00Z" : "dataLosses: 0", ready, reason),
            StoreShardStatus.class));
    return shard;
  }

  private static Pod pod(String name, String metadata, String status) {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: ns%s}
        spec: {}
        status: {%s}
        """
            .formatted(name, metadata == null ? "" : ", " + metadata, status),
        Pod.class);
  }
}
