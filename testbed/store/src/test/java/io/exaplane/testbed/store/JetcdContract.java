// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.LeaseOption;
import io.etcd.jetcd.options.PutOption;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What Java's client of etcd asks of an etcd, wherever it runs. */
abstract class JetcdContract {
  private static final long DEADLINE_S = 120;

  private Client client;
  private KV kv;

  /** URL of the one that is tested; others may use it, with other keys. */
  abstract String endpoint() throws Exception;

  @BeforeEach
  void connect() throws Exception {
    client = Client.builder().endpoints(endpoint()).build();
    kv = client.getKVClient();
  }

  @AfterEach
  void disconnect() {
    client.close();
  }

  private static ByteSequence bytes(String text) {
    return ByteSequence.from(text, UTF_8);
  }

  @Test
  void readsWritesAndDeletes() throws Exception {
    for (int i = 0; i < 10; i++) {
      kv.put(bytes("/jetcd/k/" + i), bytes("v" + i)).get(DEADLINE_S, TimeUnit.SECONDS);
    }
    var page =
        kv.get(bytes("/jetcd/k/"), GetOption.builder().isPrefix(true).withLimit(3).build())
            .get(DEADLINE_S, TimeUnit.SECONDS);
    assertThat(page.getCount()).isEqualTo(10);
    assertThat(page.isMore()).isTrue();
    assertThat(page.getKvs())
        .extracting(k -> k.getValue().toString())
        .containsExactly("v0", "v1", "v2");
    assertThat(
            kv.delete(
                    bytes("/jetcd/k/"),
                    DeleteOption.builder().isPrefix(true).withPrevKV(true).build())
                .get(DEADLINE_S, TimeUnit.SECONDS)
                .getPrevKvs())
        .hasSize(10);
  }

  @Test
  void decidesInTransactions() throws Exception {
    ByteSequence key = bytes("/jetcd/lock");
    Cmp isFree = new Cmp(key, Cmp.Op.EQUAL, CmpTarget.version(0));
    for (String owner : List.of("a", "b")) {
      TxnResponse response =
          kv.txn()
              .If(isFree)
              .Then(Op.put(key, bytes(owner), PutOption.DEFAULT))
              .Else(Op.get(key, GetOption.DEFAULT))
              .commit()
              .get(DEADLINE_S, TimeUnit.SECONDS);
      assertThat(response.isSucceeded()).isEqualTo(owner.equals("a"));
      if (!response.isSucceeded()) {
        assertThat(response.getGetResponses().getFirst().getKvs().getFirst().getValue())
            .isEqualTo(bytes("a"));
      }
    }
  }

  @Test
  void watchesFromThePastAndWhatComes() throws Exception {
    long revision =
        kv.put(bytes("/jetcd/w/1"), bytes("1"))
            .get(DEADLINE_S, TimeUnit.SECONDS)
            .getHeader()
            .getRevision();
    BlockingQueue<WatchEvent> events = new LinkedBlockingQueue<>();
    WatchOption option =
        WatchOption.builder().isPrefix(true).withRevision(revision).withPrevKV(true).build();
    try (Watch.Watcher _ =
        client
            .getWatchClient()
            .watch(bytes("/jetcd/w/"), option, r -> events.addAll(r.getEvents()))) {
      kv.put(bytes("/jetcd/w/1"), bytes("2")).get(DEADLINE_S, TimeUnit.SECONDS);
      kv.delete(bytes("/jetcd/w/1")).get(DEADLINE_S, TimeUnit.SECONDS);
      assertThat(event(events)).isEqualTo("PUT 1 after ");
      assertThat(event(events)).isEqualTo("PUT 2 after 1");
      assertThat(event(events)).isEqualTo("DELETE  after 2");
    }
  }

  private static String event(BlockingQueue<WatchEvent> events) throws InterruptedException {
    WatchEvent event = events.poll(DEADLINE_S, TimeUnit.SECONDS);
    assertThat(event).isNotNull();
    return "%s %s after %s"
        .formatted(
            event.getEventType(), event.getKeyValue().getValue(), event.getPrevKV().getValue());
  }

  @Test
  void keysGoWithTheirLease() throws Exception {
    var leases = client.getLeaseClient();
    long lease = leases.grant(600).get(DEADLINE_S, TimeUnit.SECONDS).getID();
    kv.put(bytes("/jetcd/l"), bytes("x"), PutOption.builder().withLeaseId(lease).build())
        .get(DEADLINE_S, TimeUnit.SECONDS);
    assertThat(leases.keepAliveOnce(lease).get(DEADLINE_S, TimeUnit.SECONDS).getTTL())
        .isEqualTo(600);
    assertThat(
            leases
                .timeToLive(lease, LeaseOption.builder().withAttachedKeys().build())
                .get(DEADLINE_S, TimeUnit.SECONDS)
                .getKeys())
        .containsExactly(bytes("/jetcd/l"));
    leases.revoke(lease).get(DEADLINE_S, TimeUnit.SECONDS);
    assertThat(kv.get(bytes("/jetcd/l")).get(DEADLINE_S, TimeUnit.SECONDS).getCount()).isZero();
    assertThatThrownBy(() -> leases.revoke(lease).get(DEADLINE_S, TimeUnit.SECONDS))
        .hasMessageContaining("requested lease not found");
  }
}
