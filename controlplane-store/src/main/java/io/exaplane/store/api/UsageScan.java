// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.api.StoreUsage.Share;
import io.exaplane.store.core.kind.KeyGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Adds up what keys take, by group. Keys come in order, so that those of a group follow each other:
 * it needs no memory but for the largest ones, whatever the keys are. For one thread.
 */
final class UsageScan {
  private static final Comparator<Share> BY_BYTES = Comparator.comparingLong(Share::bytes);

  private final Largest kinds;
  private final Largest namespaces;
  private long keys;
  private long bytes;
  private long otherKeys;
  private long otherBytes;

  /**
   * @param most groups of each kind that are named
   */
  UsageScan(int most) {
    this.kinds = new Largest(most);
    this.namespaces = new Largest(most);
  }

  /** The next key, in order. */
  void add(byte[] key, long size) {
    keys++;
    bytes += size;
    KeyGroup group = KeyGroup.of(key);
    if (group == KeyGroup.OTHER) {
      otherKeys++;
      otherBytes += size;
    } else {
      namespaces.add(group, size);
      kinds.add(group.ofKind(), size);
    }
  }

  /** All that came. */
  StoreUsage end(long atMs) {
    if (otherKeys > 0) {
      Share other = new Share(KeyGroup.OTHER, otherKeys, otherBytes);
      kinds.offer(other);
      namespaces.offer(other);
    }
    return new StoreUsage(atMs, keys, bytes, kinds.end(), namespaces.end());
  }

  /** The groups with the most bytes. */
  private static final class Largest {
    private final int most;
    private final PriorityQueue<Share> smallestFirst = new PriorityQueue<>(BY_BYTES);
    private KeyGroup group;
    private long keys;
    private long bytes;

    Largest(int most) {
      this.most = most;
    }

    void add(KeyGroup next, long size) {
      if (!next.equals(group)) {
        finish();
        group = next;
        keys = 0;
        bytes = 0;
      }
      keys++;
      bytes += size;
    }

    private void finish() {
      if (group != null) {
        offer(new Share(group, keys, bytes));
      }
    }

    void offer(Share share) {
      smallestFirst.add(share);
      if (smallestFirst.size() > most) {
        smallestFirst.poll();
      }
    }

    List<Share> end() {
      finish();
      group = null;
      List<Share> all = new ArrayList<>(smallestFirst);
      all.sort(BY_BYTES.reversed());
      return List.copyOf(all);
    }
  }
}
