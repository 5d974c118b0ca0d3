// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.codec.KeyValueReader;
import io.exaplane.store.codec.ProtoReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;

/** What a frame of the log says, in words; of a damaged one as far as it goes. */
final class FrameText {
  private static final int MOST_KEYS = 100;
  private static final int MOST_KEY_CHARS = 300;

  private final ProtoReader in = new ProtoReader();
  private final KeyValueReader kv = new KeyValueReader();
  private final Set<String> keys = new LinkedHashSet<>();
  private long oldest;
  private long newest;
  private int others;

  /** Tells of a payload, which begins with whether it is durable. */
  String of(ByteBuffer payload) {
    keys.clear();
    oldest = 0;
    newest = 0;
    others = 0;
    boolean isWhole = true;
    try {
      payload.position(payload.position() + 1 + Long.BYTES);
      while (payload.hasRemaining() && isWhole) {
        isWhole = entry(payload);
      }
    } catch (RuntimeException nonsense) {
      isWhole = false; // a changed byte led anywhere
    }
    return text() + (isWhole ? "" : ", and more that can't be read");
  }

  /** Its newest revision, or 0. */
  long newestRevision() {
    return newest;
  }

  private boolean entry(ByteBuffer payload) {
    switch (payload.get()) {
      case Entries.PUT, Entries.TOMBSTONE -> version(payload);
      case Entries.COMPACTED -> skip(payload, Long.BYTES);
      case Entries.LEASE_ENDED -> others += payload.getLong() == Entries.NO_LEASE ? 0 : 1;
      case Entries.REVISION -> {
        newest = Math.max(newest, payload.getLong());
        others++;
      }
      case Entries.LEASE -> skip(payload, 3 * Long.BYTES);
      case Entries.SUB -> payload.getInt();
      case Entries.HISTORY_STARTS -> {
        for (int left = payload.getInt(); left > 0; left--) {
          skip(payload, payload.getInt() + Long.BYTES);
        }
        others++;
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private void skip(ByteBuffer payload, int bytes) {
    payload.position(payload.position() + bytes);
    others++;
  }

  private void version(ByteBuffer payload) {
    int bytes = payload.getInt();
    in.open(payload.array(), payload.arrayOffset() + payload.position(), bytes);
    payload.position(payload.position() + bytes);
    kv.read(in);
    oldest = keys.isEmpty() ? kv.mod : Math.min(oldest, kv.mod);
    newest = Math.max(newest, kv.mod);
    String key = new String(kv.key.copy(), StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", "?");
    keys.add(key.substring(0, Math.min(key.length(), MOST_KEY_CHARS)));
  }

  private String text() {
    if (keys.isEmpty()) {
      return others + " notes of leases and compactions";
    }
    String named = String.join(", ", keys.stream().limit(MOST_KEYS).toList());
    String more = keys.size() > MOST_KEYS ? " and %d more".formatted(keys.size() - MOST_KEYS) : "";
    String revisions =
        oldest == newest ? "revision " + newest : "revisions %d to %d".formatted(oldest, newest);
    return "%s, keys %s%s".formatted(revisions, named, more);
  }
}
