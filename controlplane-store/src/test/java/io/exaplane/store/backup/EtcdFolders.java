// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** A test's data folder of etcd: a db that goes up to entry 9, and a log beside it. */
abstract class EtcdFolders {
  static final long APPLIED = 9;

  @TempDir Path parent;
  Path data;

  Path folder(String version, LogFile log) throws IOException {
    data = EtcdFile.of(version).writeFolder(parent.resolve("etcd"), List.of(), 0);
    log.write(data.resolve("member/wal"), 0, 0);
    return data;
  }

  static EtcdFolder look(Path path) throws IOException {
    return look(path, null);
  }

  static EtcdFolder look(Path path, Path walDir) throws IOException {
    try (EtcdFolder folder = EtcdFolder.of(path, walDir)) {
      return folder;
    }
  }

  Path segment(int number) {
    return data.resolve("member/wal/%016x-%016x.wal".formatted(number, 0));
  }
}
