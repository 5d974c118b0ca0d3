// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.store.core.execute.EtcdModel.Version;
import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.kind.PrefixRule;
import io.exaplane.store.journal.SeenRevisions.OlderDataException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Node Leases in memory only, in a store that keeps everything else. */
class KeysInMemoryTest {
  private static final String LEASES = "/registry/leases/kube-node-lease/";
  private static final String PODS = "/registry/pods/";

  private final SimulatedStorage storage = new SimulatedStorage(new Random(1));

  private static KeyClasses inMemory(String... prefixes) {
    return new KeyClasses(
        List.of(prefixes).stream()
            .map(prefix -> new PrefixRule(prefix, 0, Durability.MEMORY))
            .toList(),
        Durability.FSYNC);
  }

  private static void put(Life store, String key, String value) throws IOException {
    byte[] name = key.getBytes(UTF_8);
    byte[] content = value.getBytes(UTF_8);
    store.keyspace.put(name, 0, name.length, content, 0, content.length, 0);
    store.keyspace.commit();
    store.journal.commit();
    store.keyspace.publish();
  }

  private static List<String> keys(Life store) {
    return store.keys().stream().map(Version::key).toList();
  }

  private Map<String, byte[]> files() throws IOException {
    Map<String, byte[]> files = new HashMap<>();
    for (String name : storage.list()) {
      files.put(name, storage.bytes(name).clone());
    }
    return files;
  }

  /** Not a byte of any file changes, however often Leases are renewed; other writes are there. */
  @Test
  void renewalsWriteNothing() throws Exception {
    try (Life store = new Life(storage, inMemory(LEASES), 0)) {
      put(store, PODS + "a", "1");
      Map<String, byte[]> before = files();
      for (int i = 0; i < 10_000; i++) {
        put(store, LEASES + "node-" + i % 100, "renewed " + i);
      }
      assertThat(files()).containsExactlyInAnyOrderEntriesOf(before);
      assertThat(store.journal.durableRevision()).isEqualTo(2);
      put(store, PODS + "a", "2");
      assertThat(store.journal.durableRevision()).isEqualTo(store.keyspace.revision());
      assertThat(files()).isNotEqualTo(before);
    }
  }

  /**
   * A revision that was reserved ahead is not handed out again; the next block is reserved once.
   */
  @Test
  void aRestartCompactsTheKeysInMemoryAlone() throws Exception {
    long shown;
    try (Life store = new Life(storage, inMemory(LEASES), 0)) {
      put(store, LEASES + "node", "1");
      shown = store.keyspace.revision();
    }
    storage.restart(true);
    try (Life store = new Life(storage, inMemory(LEASES), 0)) {
      assertThat(store.keyspace.revision()).isGreaterThan(shown + 1);
      assertThat(store.keyspace.compactedRevision()).isNegative();
      assertThat(store.historyStart(LEASES)).isEqualTo(store.keyspace.revision());
      assertThat(store.historyStart("/registry/leases/")).isEqualTo(store.keyspace.revision());
      assertThat(store.historyStart("/registry/leases/kube-system/")).isNegative();
      assertThat(store.historyStart(PODS)).isNegative();
      assertThat(store.journal.recovered()).isEqualTo(Recovered.PARTIAL);
    }
  }

  /** Leases that were on disk before the flag was set go, and stay gone when it is taken away. */
  @Test
  void whatFilesTellOfEarlierTimesGoes() throws Exception {
    try (Life store = new Life(storage, inMemory(), 0)) {
      put(store, LEASES + "node-1", "1");
      put(store, LEASES + "node-2", "1");
      put(store, PODS + "a", "1");
    }
    storage.restart(true);
    try (Life store = new Life(storage, inMemory(LEASES), 0)) {
      assertThat(keys(store)).containsExactly(PODS + "a");
      assertThat(store.historyStart(LEASES)).isEqualTo(store.keyspace.revision());
      assertThat(store.historyStart(PODS)).isNegative();
    }
    storage.restart(true);
    try (Life store = new Life(storage, inMemory(), 0)) {
      assertThat(keys(store)).containsExactly(PODS + "a");
    }
  }

  /** With other keys in memory than before, nobody knows what was lost: all is read anew. */
  @Test
  void otherRulesAreTakenForALossOfAnything() throws Exception {
    try (Life store = new Life(storage, inMemory(LEASES), 0)) {
      put(store, PODS + "a", "1");
    }
    storage.restart(true);
    try (Life store = new Life(storage, inMemory(LEASES, "/registry/events/"), 0)) {
      assertThat(store.keyspace.compactedRevision()).isEqualTo(store.keyspace.revision());
      assertThat(keys(store)).containsExactly(PODS + "a");
    }
  }

  /** Rules that make no difference to what is lost are no other rules. */
  @Test
  void aQuotaIsNoOtherRule() throws Exception {
    try (Life store = new Life(storage, inMemory(LEASES), 0)) {
      put(store, PODS + "a", "1");
    }
    storage.restart(true);
    KeyClasses more =
        new KeyClasses(
            List.of(
                new PrefixRule(LEASES, 0, Durability.MEMORY),
                new PrefixRule(LEASES + "x", 0, Durability.MEMORY),
                new PrefixRule(PODS, 1 << 20, Durability.FSYNC)),
            Durability.FSYNC);
    try (Life store = new Life(storage, more, 0)) {
      assertThat(store.keyspace.compactedRevision()).isNegative();
    }
  }

  /**
   * A volume that somebody set back is found by what it has of durable writes; the revisions that
   * are reserved say nothing of it. Nothing is written meanwhile: the next start says the same.
   */
  @Test
  void anOlderCopyIsFound() throws Exception {
    try (Life store = new Life(storage, inMemory(LEASES), 0)) {
      put(store, PODS + "a", "1");
      put(store, LEASES + "node", "1");
      assertThat(store.journal.durableRevision()).isEqualTo(2);
    }
    storage.restart(true);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> open(3)).isInstanceOf(OlderDataException.class);
    }
    open(2).region().close();
  }

  private SmallJournal.Opened open(long least) throws IOException {
    return SmallJournal.open(
        storage, new SeenRevisions(0, least), () -> Life.empty(inMemory(LEASES)));
  }
}
