// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Line 22: data folders of etcd that are not whole, as after a copy that was interrupted or put
 * together of two. Before a start, the etcd itself judges them. The db goes up to entry 9.
 */
class EtcdFolderWholeTest extends EtcdFolders {
  /** etcd writes the log first: entries that it acknowledged are missing. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 8})
  void aLogThatIsOlderThanTheFileIsRefused(int entries) throws Exception {
    folder("3.6.0", LogFile.entries(entries));
    assertThatThrownBy(() -> look(data))
        .hasMessageContaining("ends with entry %d, its db with 9".formatted(entries))
        .hasMessageContaining("put both back from the same copy");
    assertThat(EtcdFolder.beforeStart(data)).isPresent();
    assertThat(look(folder("3.6.0", LogFile.entries(entries).snapshot(APPLIED))).tail()).isEmpty();
  }

  /** As after a copy that was interrupted, or a loss of power. */
  @ParameterizedTest
  @CsvSource({"0, 0", "0, 60000", "1, 0", "1, 60000"})
  void anEmptySegmentIsNoLog(int number, int bytes) throws Exception {
    folder("3.6.0", LogFile.entries((int) APPLIED));
    Files.write(segment(number), new byte[bytes]);
    assertThatThrownBy(() -> look(data))
        .hasMessageContaining(segment(number) + " does not begin as etcd begins each segment")
        .hasMessageContaining("restore a backup");
    assertThat(EtcdFolder.beforeStart(data)).isPresent();
  }

  @Test
  void aLogWithoutItsBeginningOrItsMemberIsRefused() throws Exception {
    LogFile headless = LogFile.headless().metadata(EtcdFile.MEMBER);
    folder("3.6.0", headless.entry(APPLIED, EtcdFile.request(false)));
    assertThatThrownBy(() -> look(data)).hasMessageContaining("does not begin as etcd begins");
    folder("3.6.0", new LogFile().entry(APPLIED, EtcdFile.request(false)));
    assertThatThrownBy(() -> look(data)).hasMessageContaining("has no member id");
  }

  /** etcd gives the last segment room, except where it cut off an entry that was torn. */
  @Test
  void aLastSegmentWithoutRoomIsTakenOnlyIfEtcdCutItAndTheFileHasAllOfIt() throws Exception {
    for (int entries = (int) APPLIED; entries <= APPLIED + 1; entries++) {
      LogFile log = LogFile.entries(entries);
      int end = log.end();
      folder("3.6.0", log);
      Files.write(segment(0), Arrays.copyOf(Files.readAllBytes(segment(0)), end));
      Path broken = Path.of(segment(0) + ".broken");
      assertThatThrownBy(() -> look(data)).hasMessageContaining("ends without the room");
      assertThat(EtcdFolder.beforeStart(data)).isPresent();
      Files.createFile(broken);
      if (entries == APPLIED) {
        assertThat(look(data).tail()).isEmpty();
      } else {
        assertThatThrownBy(() -> look(data))
            .hasMessageContaining("a newer segment is missing")
            .hasMessageContaining("take a backup with 'etcdctl snapshot save'");
      }
      Files.delete(broken);
    }
  }

  @Test
  void ofTwoLogsNoneIsTaken() throws Exception {
    folder("3.6.0", LogFile.entries(9));
    Path wal = data.resolve("member/wal");
    Path elsewhere = parent.resolve("elsewhere");
    Files.createDirectory(elsewhere);
    assertThatThrownBy(() -> look(data, elsewhere))
        .hasMessageContaining("--wal-dir: %s is not the only log".formatted(elsewhere))
        .hasMessageContaining("leave out --wal-dir");
    assertThat(look(data, wal).tail()).isEmpty();
  }
}
