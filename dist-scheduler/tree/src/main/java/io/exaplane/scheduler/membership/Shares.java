// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.membership;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** Who has which virtual shards. Pure. */
public final class Shares {
  /** The owner of what nobody has. */
  public static final int NOBODY = -1;

  private Shares() {}

  /** Nobody has anything. */
  public static int[] none() {
    int[] owners = new int[VirtualShards.COUNT];
    Arrays.fill(owners, NOBODY);
    return owners;
  }

  /**
   * Gives each member its share, with as few as possible changing hands.
   *
   * @param before by virtual shard, the member that has it, which may be gone, or {@link #NOBODY}
   * @param weights by member, above 0; shares are in proportion to them
   * @return by virtual shard, the member that is to have it
   */
  public static int[] deal(int[] before, SortedMap<Integer, Double> weights) {
    Map<Integer, Integer> open = quotas(before.length, weights);
    int[] after = new int[before.length];
    Arrays.fill(after, NOBODY);
    for (int shard = 0; shard < before.length; shard++) {
      int left = open.getOrDefault(before[shard], 0);
      if (left > 0) {
        after[shard] = before[shard];
        open.put(before[shard], left - 1);
      }
    }
    List<Integer> takers = new ArrayList<>(weights.keySet());
    int next = 0;
    for (int shard = 0; shard < after.length && !takers.isEmpty(); shard++) {
      if (after[shard] == NOBODY) {
        while (open.get(takers.get(next)) == 0) {
          next++;
        }
        after[shard] = takers.get(next);
        open.merge(takers.get(next), -1, Integer::sum);
      }
    }
    return after;
  }

  /** Whole numbers in proportion to weights; what is left goes to those that lack most. */
  private static Map<Integer, Integer> quotas(int count, SortedMap<Integer, Double> weights) {
    double sum = weights.values().stream().mapToDouble(weight -> weight).sum();
    Map<Integer, Integer> quotas = new HashMap<>();
    Map<Integer, Double> lacks = new HashMap<>();
    int left = count;
    for (Map.Entry<Integer, Double> each : weights.entrySet()) {
      double exact = count * each.getValue() / sum;
      int whole = (int) exact;
      quotas.put(each.getKey(), whole);
      lacks.put(each.getKey(), exact - whole);
      left -= whole;
    }
    List<Integer> order = new ArrayList<>(weights.keySet());
    order.sort(Comparator.comparing((Integer member) -> -lacks.get(member)));
    for (int i = 0; i < left && !order.isEmpty(); i++) {
      quotas.merge(order.get(i % order.size()), 1, Integer::sum);
    }
    return quotas;
  }
}
