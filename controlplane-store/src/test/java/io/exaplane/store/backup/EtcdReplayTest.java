// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.SpaceLimits;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.memory.KeyValues;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.core.memory.Region;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Line 22: what the log of a killed etcd has more than its db, which goes up to entry 9. What a
 * real etcd makes of its log is compared in testbed/store.
 */
class EtcdReplayTest {
  private static final long APPLIED = 9;
  private static final long NOW_MS = 1_000_000;
  private static final long BUMP = 1_000;
  private static final int PUT = 4;
  private static final int DELETE = 5;
  private static final int TXN = 6;
  private static final int COMPACTION = 7;
  private static final int GRANT = 8;
  private static final int REVOKE = 9;
  private static final int ALARM = 10;
  private static final int CHECKPOINT = 11;

  @TempDir Path parent;
  private final LogFile log = new LogFile().metadata(EtcdFile.MEMBER);
  private Region region;
  private Leases leases;
  private Keyspace keyspace;
  private long index;
  private byte[] written;

  @BeforeEach
  void begin() {
    region = Region.reserve(1 << 24, 16);
    leases = new Leases(() -> 1);
    keyspace = new Keyspace(region, leases, KeyClasses.plain(), SpaceLimits.NONE, 1, 2);
    for (index = 1; index <= APPLIED; index++) {
      log.entry(index, EtcdFile.request(false));
    }
  }

  @AfterEach
  void end() {
    region.close();
  }

  private int restore(EtcdFile file) throws IOException {
    Path data = file.writeFolder(parent.resolve("etcd"), List.of(), 0);
    Path segment = data.resolve("member/wal/0000000000000000-0000000000000000.wal");
    if (written == null) {
      log.write(segment.getParent(), 0, 0);
      written = Files.readAllBytes(segment);
    }
    Files.write(segment, written);
    try (EtcdFolder folder = EtcdFolder.of(data, null)) {
      EtcdBackup backup = new EtcdBackup(folder.backend(), false);
      folder.requirePlainTail(backup.contents());
      return backup.restore(keyspace, leases, BUMP, NOW_MS, folder.tail());
    }
  }

  private EtcdReplayTest entry(int field, byte[] body) {
    ReverseWriter out = new ReverseWriter();
    out.bytes(field, body, 0, body.length);
    out.number(1, 4711);
    log.entry(index++, out.copy());
    return this;
  }

  /** Fields in their order; each a number or a text. */
  private static byte[] message(Object... fieldsAndValues) {
    ReverseWriter out = new ReverseWriter();
    for (int i = fieldsAndValues.length - 2; i >= 0; i -= 2) {
      int field = (int) fieldsAndValues[i];
      switch (fieldsAndValues[i + 1]) {
        case Integer number -> out.number(field, number);
        case byte[] bytes -> out.bytes(field, bytes, 0, bytes.length);
        case Object text -> {
          byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
          out.bytes(field, bytes, 0, bytes.length);
        }
      }
    }
    return out.copy();
  }

  /** Version and value of a key; empty without it. */
  private String read(String key) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    long record = keyspace.newest(bytes, 0, bytes.length);
    return record == 0
        ? ""
        : "%d at %d: %s"
            .formatted(
                KeyValues.version(keyspace.memory(), record),
                Records.modRevision(keyspace.memory(), record),
                new String(KeyValues.copyValue(keyspace.memory(), record)));
  }

  /** The db has a at revision 5 with a lease of 100 s, and nothing of what comes then. */
  private static EtcdFile withOneKey() {
    byte[] revision = BackendVersion.revision(5);
    byte[] keyValue = message(1, "a", 2, 3, 3, 5, 4, 2, 5, "old", 6, 77);
    byte[] lease = message(1, 77, 2, 100);
    return EtcdFile.of("3.6.0")
        .with("key", new String(revision, StandardCharsets.US_ASCII), keyValue)
        .with("lease", new String(EtcdFile.eightBytes(77), StandardCharsets.US_ASCII), lease);
  }

  @Test
  void everyKindOfRequestIsCarriedOutAsByTheEtcd() throws Exception {
    entry(PUT, message(1, "a", 2, "new", 3, 77)); // revision 6
    entry(GRANT, message(1, 50, 2, 78));
    entry(PUT, message(1, "b", 2, "leased", 3, 78)); // 7
    entry(PUT, message(1, "c", 2, "x")); // 8
    entry(PUT, message(1, "c", 5, 1, 3, 78)); // 9: keeps its value
    byte[] holds = message(1, 0, 2, 3, 3, "a", 7, "new");
    byte[] thenPut = message(2, message(1, "d", 2, "then"));
    byte[] orPut = message(2, message(1, "d", 2, "else"));
    entry(TXN, message(1, holds, 2, thenPut, 3, orPut)); // 10
    entry(DELETE, message(1, "b")); // 11
    entry(DELETE, message(1, "none"));
    entry(CHECKPOINT, message(1, message(1, 78, 2, 30)));
    entry(REVOKE, message(1, 77)); // 12: and a is gone
    log.entry(index++, new byte[0]); // a new leader
    log.entry(index++, EtcdFile.request(true));
    entry(1_301, message(1, 1));
    assertThat(restore(withOneKey())).isEqualTo(2);
    assertThat(read("a")).isEmpty();
    assertThat(read("b")).isEmpty();
    assertThat(read("c")).isEqualTo("2 at 9: x");
    assertThat(read("d")).isEqualTo("1 at 10: then");
    assertThat(keyspace.revision()).isEqualTo(12 + BUMP);
    assertThat(leases.get(77)).isNull();
    assertThat(leases.get(78).deadlineMs()).isEqualTo(NOW_MS + 30_000);
  }

  @Test
  void whatTheEtcdRefusedChangesNothing() throws Exception {
    entry(PUT, message(1, "x", 2, "v", 3, 999)); // no such lease
    entry(PUT, message(1, "y", 5, 1)); // no value to keep
    entry(GRANT, message(1, 50, 2, 77)); // there is one
    entry(REVOKE, message(1, 999));
    entry(ALARM, message(1, 0)); // asks
    entry(PUT, message(1, "z", 2, "v"));
    assertThat(restore(withOneKey())).isEqualTo(2);
    assertThat(read("z")).isEqualTo("1 at 6: v");
    assertThat(leases.get(77).ttlSeconds()).isEqualTo(100);
  }

  @ParameterizedTest
  @CsvSource({
    "1000, entry 11 is about users and roles",
    "1100, entry 11 is about users and roles",
    "1204, entry 11 is about users and roles",
    "10, entry 11 is about an alarm",
    "12, entry 11 is a request of a later etcd (field 12)",
    "1303, entry 11 is a request of a later etcd (field 1303)",
  })
  void whatMeansMoreThanKeysStopsIt(int field, String words) {
    entry(PUT, message(1, "b", 2, "v")).entry(field, message(1, 1));
    assertRefused(withOneKey(), words);
  }

  @Test
  void entriesThatDoNotFollowOneAnotherStopIt() {
    entry(PUT, message(1, "b", 2, "v"));
    index = 10;
    entry(PUT, message(1, "b", 2, "w"));
    assertRefused(withOneKey(), "entry 10 comes where entry 11 belongs");
  }

  @Test
  void aReadOfHistoryInATxnStopsIt() {
    byte[] readsOld = message(1, message(1, "a", 4, 2));
    entry(TXN, message(2, readsOld, 2, message(2, message(1, "b", 2, "v"))));
    assertRefused(withOneKey(), "entry 10 reads an old revision");
  }

  /** The etcd refused the Txn, because what it reads was compacted before. */
  @Test
  void aReadOfWhatTheLogItselfCompactedStopsIt() {
    entry(PUT, message(1, "b", 2, "v")); // revision 6
    entry(PUT, message(1, "b", 2, "w")); // 7
    entry(COMPACTION, message(1, 7));
    byte[] readsOld = message(1, message(1, "b", 4, 6));
    entry(TXN, message(2, readsOld, 2, message(2, message(1, "k", 2, "v"))));
    assertRefused(withOneKey(), "entry 13 reads an old revision");
  }

  /** Below the file's revision all is compacted here; of a later revision etcd refuses it. */
  @Test
  void aCompactionChangesNothingElse() throws Exception {
    entry(COMPACTION, message(1, 3));
    entry(PUT, message(1, "b", 2, "v")); // revision 6
    entry(COMPACTION, message(1, 6));
    entry(COMPACTION, message(1, 6));
    entry(COMPACTION, message(1, 99));
    entry(PUT, message(1, "b", 2, "w"));
    assertThat(restore(withOneKey())).isEqualTo(2);
    assertThat(read("b")).isEqualTo("2 at 7: w");
  }

  @Test
  void aLeaseThatWasRenewedHasAllOfItsTime() throws Exception {
    entry(CHECKPOINT, message(1, message(1, 77, 2, 20)));
    entry(CHECKPOINT, message(1, message(1, 77)));
    restore(withOneKey());
    assertThat(leases.get(77).deadlineMs()).isEqualTo(NOW_MS + 100_000);
  }

  @Test
  void whatDecidesOverEntriesBesidesIsNamed() {
    entry(PUT, message(1, "b", 2, "v"));
    assertRefused(withOneKey().with("auth", "authEnabled", new byte[] {1}), "depend on users");
    String full = new String(message(1, 7, 2, 1), StandardCharsets.US_ASCII);
    assertRefused(withOneKey().with("alarm", full, ""), "an alarm is raised (NOSPACE)");
    assertRefused(
        withOneKey().with("members", "a1", "{}").with("members", "b2", "{}"),
        "only several members together know");
  }

  private void assertRefused(EtcdFile file, String words) {
    assertThatThrownBy(() -> restore(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the log of")
        .hasMessageContaining(words)
        .hasMessageContaining("then stop it with SIGTERM");
  }
}
