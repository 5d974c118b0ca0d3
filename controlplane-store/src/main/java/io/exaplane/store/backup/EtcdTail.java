// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Entries of an etcd's log that its backend file lacks, as after a kill: an etcd writes the file a
 * tenth of a second later.
 *
 * @param folder the data folder
 * @param segments of the log, in order
 * @param applied the entry up to which the backend file has everything
 * @param last the log's last entry
 */
public record EtcdTail(Path folder, List<Path> segments, long applied, long last) {
  /** Why nobody but that etcd can take up the entries. */
  IOException refusal(String reason) {
    return new IOException(
        "the log of %s ends at entry %d, its db at %d, and %s: start this etcd once more with its own version, then stop it with SIGTERM, or take a backup with 'etcdctl snapshot save'"
            .formatted(folder, last, applied, reason));
  }

  /**
   * Requires that entries mean here what they meant to the etcd. An alarm or users change what
   * becomes of a request, and only several members together know which entries count.
   *
   * @throws IOException if they do not, with the next action
   */
  void requirePlain(EtcdContents contents, long memberId) throws IOException {
    if (contents.authEnabled()) {
      throw refusal("with authentication, the entries depend on users");
    }
    if (!contents.alarms().isEmpty()) {
      throw refusal("an alarm is raised (%s)".formatted(String.join(", ", contents.alarms())));
    }
    if (!EtcdMember.isAlone(memberId, contents.members())) {
      throw refusal("only several members together know which of the entries count");
    }
  }
}
