// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is seen of files of etcd's versions, and said before another one is started on them. */
class EtcdContentsTest {
  @TempDir Path folder;

  private EtcdContents contents(EtcdFile file) throws IOException {
    return EtcdContents.of(file.write(folder.resolve("db")));
  }

  @ParameterizedTest
  @CsvSource({"3.4, 3.4 or older", "3.5, 3.5", "3.6.0, 3.6", "3.7.0, 3.7"})
  void theVersionIsSeen(String written, String seen) throws Exception {
    assertThat(contents(EtcdFile.of(written)).version()).isEqualTo(seen);
  }

  @Test
  void whatALaterEtcdWroteIsRefusedWithWords() {
    assertThatThrownBy(() -> contents(EtcdFile.of("3.8.0")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("was written by etcd 3.8, but the store reads 3.5 to 3.7");
    assertThatThrownBy(() -> contents(EtcdFile.of("3.7.0").with("ledger", "a", "b")))
        .hasMessageContaining("not a file of etcd 3.5 to 3.7");
  }

  @Test
  void usersAndRolesAreSeenWhetherAuthenticationIsOnOrOff() throws Exception {
    assertThat(contents(EtcdFile.of("3.6.0")).hasAuth()).isFalse();
    EtcdFile left =
        EtcdFile.of("3.6.0")
            .with("auth", "authEnabled", new byte[] {0})
            .with("authUsers", "alice", "x")
            .with("authUsers", "root", "x");
    assertThat(contents(left).hasAuth()).isTrue();
    assertThat(contents(left).authText())
        .isEqualTo("authentication is switched off, with 2 users (alice, root), 0 roles");
    EtcdFile on = left.with("auth", "authEnabled", new byte[] {1}).with("authRoles", "r", "x");
    assertThat(contents(on).authText())
        .isEqualTo("authentication is switched on, with 2 users (alice, root), 1 role (r)");
    assertThat(contents(EtcdFile.of("3.5").with("authRoles", "r", "x")).hasAuth()).isTrue();
  }

  /** Requests of 3.5 behind the last snapshot end etcd 3.7 with a panic; tried with 3.7.0. */
  @ParameterizedTest
  @CsvSource({
    "3.5, 3.5, 2, ''",
    "3.5, 3.6, 2, ''",
    "3.5, 3.7, 2, Start etcd 3.6 on the data",
    "3.6.0, 3.7, 2, Start etcd 3.6 on the data",
    "3.5, 3.7, 0, ''",
    "3.6.0, 3.7, 0, ''",
    "3.7.0, 3.7, 0, ''",
    "3.7.0, 3.6, 0, etcdctl downgrade enable 3.6",
    "3.6.0, 3.5, 0, etcdctl downgrade enable 3.5",
    "3.6.0, 3.9, 0, is not known here"
  })
  void whatIsToBeDoneFirstIsSaid(String of, String minor, int oldRequests, String said)
      throws Exception {
    String first = contents(EtcdFile.of(of)).beforeStarting(minor, oldRequests);
    if (said.isEmpty()) {
      assertThat(first).isEmpty();
    } else {
      assertThat(first).contains(said);
    }
  }

  /** Entries with or without a request of 3.5, a snapshot before, in between, behind. */
  @ParameterizedTest
  @CsvSource({"0, 2", "3, 2", "4, 1", "7, 0", "9, 0"})
  void requestsOf35BehindTheLastSnapshotAreCounted(long snapshotIndex, int counted)
      throws Exception {
    List<byte[]> log =
        List.of(
            EtcdFile.request(false),
            new byte[0],
            EtcdFile.request(false),
            EtcdFile.request(true),
            EtcdFile.request(false),
            EtcdFile.request(false),
            EtcdFile.request(true),
            EtcdFile.request(false),
            EtcdFile.request(false));
    Path data = EtcdFile.of("3.5").writeFolder(folder.resolve("etcd"), log, snapshotIndex);
    EtcdFolder seen = EtcdFolder.beforeStart(data).orElseThrow();
    assertThat(seen.oldRequests()).isEqualTo(counted);
    assertThat(EtcdContents.of(seen.backend()).version()).isEqualTo("3.5");
  }

  @Test
  void aFolderThatIsNoEtcdsIsRefused() {
    assertThatThrownBy(() -> EtcdFolder.of(folder, null)).hasMessageContaining("is not an etcd's");
  }
}
