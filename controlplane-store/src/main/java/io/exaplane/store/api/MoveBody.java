// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.codec.KeyValueReader;
import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.move.MoveException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Changes that another store gave for this one, in the form of {@link MoveRecords}. Immutable.
 *
 * @param changes in their order
 * @param newest the newest revision that one of them had in the other store
 */
record MoveBody(List<MoveWriter.Change> changes, long newest) {

  /**
   * Reads a body.
   *
   * @param prefix below which all keys must be
   * @throws MoveException with 400 and one line if it is not what the other store's pages have
   */
  static MoveBody parse(String prefix, byte[] body) {
    byte[] wanted = MovePrefix.bytes(prefix);
    List<MoveWriter.Change> changes = new ArrayList<>();
    KeyValueReader version = new KeyValueReader();
    ProtoReader in = new ProtoReader();
    long newest = 0;
    int at = 0;
    while (at < body.length) {
      int left = body.length - at - MoveRecords.LENGTH_BYTES;
      if (left < 0) {
        throw refused(changes.size(), at, "ends within its four bytes of length");
      }
      int length = ByteBuffer.wrap(body).getInt(at);
      if (length <= 0 || length > left) {
        throw refused(
            changes.size(),
            at,
            "has the length %s, and %d bytes follow"
                .formatted(Integer.toUnsignedString(length), left));
      }
      try {
        version.read(in.open(body, at + MoveRecords.LENGTH_BYTES, length));
      } catch (StoreException e) {
        throw refused(changes.size(), at, "is no mvccpb.KeyValue: " + e.getMessage());
      }
      String fault = fault(version, wanted);
      if (fault != null) {
        throw refused(changes.size(), at, fault);
      }
      newest = Math.max(newest, version.mod);
      changes.add(
          new MoveWriter.Change(
              version.key.copy(), version.version == 0 ? null : version.value.copy()));
      at += MoveRecords.LENGTH_BYTES + length;
    }
    return new MoveBody(List.copyOf(changes), newest);
  }

  private static String fault(KeyValueReader version, byte[] prefix) {
    byte[] key = version.key.copy();
    if (key.length <= prefix.length
        || Arrays.mismatch(key, 0, prefix.length, prefix, 0, prefix.length) >= 0) {
      return "has a key that is not below the prefix";
    }
    if (version.lease != 0) {
      return "has the etcd lease %x, and keys with a lease can't move".formatted(version.lease);
    }
    if (version.mod <= 0 || version.version < 0) {
      return "has mod_revision %d and version %d, which no store gives"
          .formatted(version.mod, version.version);
    }
    return version.version == 0 && !version.value.isEmpty()
        ? "has a value but no version, so it is neither a put nor a deletion"
        : null;
  }

  private static MoveException refused(int number, int at, String what) {
    return new MoveException(
        400,
        "body: record %d, at byte %d, %s; send the records as GET /moves/page and /moves/changes gave them"
            .formatted(number + 1, at, what));
  }
}
