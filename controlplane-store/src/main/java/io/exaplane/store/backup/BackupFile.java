// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Tells files that people name instead of a backup, before anybody looks for a checksum in them.
 */
final class BackupFile {
  private static final int MAGIC_BYTES = 6;

  /** What tools for compressing begin their files with, in hexadecimal. */
  private static final Map<String, String> COMPRESSED = new LinkedHashMap<>();

  static {
    COMPRESSED.put("1f8b", "gzip -d");
    COMPRESSED.put("28b52ffd", "zstd -d");
    COMPRESSED.put("fd377a585a00", "xz -d");
    COMPRESSED.put("425a68", "bzip2 -d");
    COMPRESSED.put("504b0304", "unzip");
  }

  private BackupFile() {}

  /**
   * Refuses what is no file, or plainly none that etcd wrote.
   *
   * @throws IOException that says what it is, and what to do
   */
  static void require(Path path) throws IOException {
    if (!Files.exists(path)) {
      throw new IOException(
          "%s does not exist; name a backup or an etcd's data folder".formatted(path));
    }
    if (!Files.isRegularFile(path)) { // to open a FIFO would wait for ever
      throw new IOException(
          "%s must be a file or a folder, and is neither; save the backup to a file first"
              .formatted(path));
    }
    String magic = magic(path);
    if (magic.isEmpty()) {
      throw new IOException("%s is empty; take another backup".formatted(path));
    }
    for (Map.Entry<String, String> each : COMPRESSED.entrySet()) {
      if (magic.startsWith(each.getKey())) {
        throw new IOException(
            "%s is compressed; unpack it (%s), and name the unpacked file"
                .formatted(path, each.getValue()));
      }
    }
  }

  private static String magic(Path path) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      return HexFormat.of().formatHex(in.readNBytes(MAGIC_BYTES));
    } catch (AccessDeniedException e) {
      throw new IOException(
          "%s must be readable by the user of this command, and is not".formatted(path), e);
    }
  }
}
