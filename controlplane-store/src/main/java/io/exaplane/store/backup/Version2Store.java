// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Keys of etcd's API of version 2, which up to 3.5 lie as JSON in snapshots of the log and not in
 * the backend file. A 3.5 keeps its members there, too; those are no keys of users.
 */
final class Version2Store {
  /**
   * A quotation mark inside a value has a backslash before it, so a value never looks like this.
   */
  private static final byte[] KEY = "\"Path\":\"/1/".getBytes(StandardCharsets.UTF_8);

  private Version2Store() {}

  /**
   * Counts the keys and folders in the newest snapshot.
   *
   * @param folder of the snapshots
   */
  static int keys(Path folder) throws IOException {
    Path newest = EtcdLog.newestSnapshot(folder);
    if (newest == null) {
      return 0;
    }
    byte[] bytes = Files.readAllBytes(newest);
    int keys = 0;
    for (int at = 0; at <= bytes.length - KEY.length; at++) {
      int same = 0;
      while (same < KEY.length && bytes[at + same] == KEY[same]) {
        same++;
      }
      keys += same == KEY.length ? 1 : 0;
    }
    return keys;
  }
}
