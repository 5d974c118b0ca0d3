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
  private long load;
  private long otherKeys;
  private long otherBytes;
  private long otherLoad;

  /**
   * @param most groups of each kind that are named
   */
  UsageScan(int most) {
    this.kinds = new Largest(most);
    this.namespaces = new Largest(most);
  }

  /**
   * The next key, in order.
   *
   * @param size bytes of its newest version
   * @param loaded bytes of a kube-apiserver's memory that it takes
   */
  void add(byte[] key, long size, long loaded) {
    keys++;
    bytes += size;
    load += loaded;
    KeyGroup group = KeyGroup.of(key);
    if (group == KeyGroup.OTHER) {
      otherKeys++;
      otherBytes += size;
      otherLoad += loaded;
    } else {
      namespaces.add(group, size, loaded);
      kinds.add(group.ofKind(), size, loaded);
    }
  }

  /** All that came. */
  StoreUsage end(long atMs) {
    if (otherKeys > 0) {
      Share other = new Share(KeyGroup.OTHER, otherKeys, otherBytes, otherLoad);
      kinds.offer(other);
      namespaces.offer(other);
    }
    return new StoreUsage(atMs, keys, bytes, load, kinds.end(), namespaces.end());
  }

  /** The groups with the most bytes. */
  private static final class Largest {
    private final int most;
    private final PriorityQueue<Share> smallestFirst = new PriorityQueue<>(BY_BYTES);
    private KeyGroup group;
    private long keys;
    private long bytes;
    private long load;

    Largest(int most) {
      this.most = most;
    }

    void add(KeyGroup next, long size, long loaded) {
      if (!next.equals(group)) {
        finish();
        group = next;
        keys = 0;
        bytes = 0;
        load = 0;
      }
      keys++;
      bytes += size;
      load += loaded;
    }

    private void finish() {
      if (group != null) {
        offer(new Share(group, keys, bytes, load));
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
