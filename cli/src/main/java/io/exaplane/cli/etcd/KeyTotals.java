// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.etcd;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.ToLongFunction;

/**
 * Counts keys by Kind and by namespace. Keys come in order, so that those of a group follow each
 * other and memory is needed for the largest groups only, however many keys there are. One thread.
 */
final class KeyTotals {
  /**
   * Keys of a group.
   *
   * @param bytes of keys and values, estimated from samples; negative if nobody asked for it
   */
  record Group(KeyGroup group, long keys, double bytes) {
    static final double UNKNOWN = -1;
  }

  private static final Comparator<Group> BY_SIZE =
      Comparator.comparingDouble(Group::bytes).thenComparingLong(Group::keys);

  private final String root;
  private final int samples;
  private final ToLongFunction<byte[]> size;
  private final Random random = new Random(1);
  private final Sum namespaces;
  private final Sum kinds;
  private long keys;
  private double bytes;

  /**
   * @param most groups that are kept, the largest ones
   * @param samples keys of each group whose size is asked for; 0 for none
   * @param size bytes of a key and its value
   */
  KeyTotals(String root, int most, int samples, ToLongFunction<byte[]> size) {
    this.root = root;
    this.samples = samples;
    this.size = size;
    namespaces = new Sum(most);
    kinds = new Sum(most);
  }

  /** The next key, in order. */
  void add(byte[] key) {
    keys++;
    KeyGroup group = KeyGroup.of(key, root);
    if (!group.equals(namespaces.group)) {
      endGroup(group);
    }
    namespaces.keys++;
    sample(key);
  }

  /** Each key of a group is as likely to be among its samples. */
  private void sample(byte[] key) {
    if (namespaces.sampled.size() < samples) {
      namespaces.sampled.add(key);
    } else if (samples > 0) {
      long slot = random.nextLong(namespaces.keys);
      if (slot < samples) {
        namespaces.sampled.set((int) slot, key);
      }
    }
  }

  private void endGroup(KeyGroup next) {
    Optional<Group> ended = namespaces.end();
    namespaces.begin(next);
    ended.ifPresent(
        group -> {
          KeyGroup kind = group.group().ofKind();
          if (!kind.equals(kinds.group)) {
            kinds.end();
            kinds.begin(kind);
          }
          kinds.keys += group.keys();
          kinds.bytes += group.bytes();
          bytes += Math.max(0, group.bytes());
        });
  }

  /** All keys that came. */
  long keys() {
    return keys;
  }

  /** Bytes of them, when all have come, as far as samples say. */
  double bytes() {
    finish();
    return bytes;
  }

  /** The largest groups of a Kind and a namespace, when all keys have come. */
  List<Group> namespaces() {
    finish();
    return namespaces.largest();
  }

  /** The largest Kinds. */
  List<Group> kinds() {
    finish();
    return kinds.largest();
  }

  /** How many groups there are, those that are not kept, too. */
  long groups() {
    finish();
    return namespaces.groups;
  }

  private void finish() {
    endGroup(null);
    kinds.end();
    kinds.begin(null);
  }

  private final class Sum {
    private final int most;
    private final PriorityQueue<Group> smallestFirst = new PriorityQueue<>(BY_SIZE);
    private final List<byte[]> sampled = new ArrayList<>();
    private KeyGroup group;
    private long keys;
    private double bytes;
    private long groups;

    Sum(int most) {
      this.most = most;
    }

    void begin(KeyGroup next) {
      group = next;
      keys = 0;
      bytes = 0;
      sampled.clear();
    }

    Optional<Group> end() {
      if (group == null) {
        return Optional.empty();
      }
      groups++;
      for (byte[] key : sampled) {
        bytes += (double) keys / sampled.size() * size.applyAsLong(key);
      }
      Group ended = new Group(group, keys, samples == 0 ? Group.UNKNOWN : bytes);
      smallestFirst.add(ended);
      if (smallestFirst.size() > most) {
        smallestFirst.poll();
      }
      return Optional.of(ended);
    }

    List<Group> largest() {
      return smallestFirst.stream().sorted(BY_SIZE.reversed()).toList();
    }
  }
}
