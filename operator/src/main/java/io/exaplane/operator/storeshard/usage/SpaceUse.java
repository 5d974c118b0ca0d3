// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.usage;

import io.exaplane.operator.storeshard.usage.StorePage.PrefixSpace;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * How full a store is, by that of its limits which is closest. Immutable.
 *
 * @param prefix of the keys whose own quota that limit is; null if it is the store's
 * @param used bytes that the newest versions take, or a kube-apiserver for them, or that it takes
 *     to find the keys: what only deletions give back
 * @param most bytes that they may take
 */
public record SpaceUse(Level level, Limit limit, String prefix, long used, long most) {
  /** How much of a limit is left, the worst last. */
  public enum Level {
    FREE,
    /** From 80 % on. */
    SCARCE,
    /** From 95 % on. */
    NEARLY_EXCEEDED,
    /** What grows is refused. */
    EXCEEDED
  }

  /** What is limited. */
  public enum Limit {
    /** Bytes of versions. */
    QUOTA,
    /** Memory in which one kube-apiserver loads the objects. */
    LOAD,
    /** Memory to find keys. */
    KEYS
  }

  /** There is space; how much is no news. */
  public static final SpaceUse ENOUGH = new SpaceUse(Level.FREE, Limit.QUOTA, null, 0, 1);

  private static final int SCARCE_PERCENT = 80;
  private static final int NEARLY_PERCENT = 95;

  /** Of the index, for a key with one version; controlplane-store's SpaceAccount. */
  private static final long INDEX_BYTES_PER_KEY = 80;

  /**
   * The use that a page tells of.
   *
   * @param margin percent by which a level begins earlier
   */
  static SpaceUse of(StorePage page, int margin) {
    StorePage.Load load = page.load();
    // Deletions give nothing back of the history of keys; the store lets go of it by itself.
    long index = Math.min(page.indexBytes(), page.keys() * INDEX_BYTES_PER_KEY);
    // Of load there is no history: a store that refuses before that is full does so for another.
    Stream<SpaceUse> whole =
        Stream.of(
            new SpaceUse(null, Limit.QUOTA, null, page.liveBytes(), page.quotaBytes()),
            new SpaceUse(null, Limit.LOAD, null, orNone(load.bytes()), orNone(load.quotaBytes())),
            new SpaceUse(null, Limit.KEYS, null, index, page.indexLimitBytes()));
    SpaceUse fullest =
        whole
            .filter(use -> !page.exceeded() || use.limit != Limit.LOAD || use.part() >= 1)
            .max(Comparator.comparingDouble(SpaceUse::part))
            .orElseThrow()
            .leveled(page.exceeded(), margin);
    SpaceUse worst =
        Stream.concat(Stream.of(fullest), page.prefixes().stream().map(each -> of(each, margin)))
            .max(Comparator.comparingInt(SpaceUse::rank).thenComparingDouble(SpaceUse::part))
            .orElseThrow();
    return worst.level == Level.FREE ? ENOUGH : worst;
  }

  private static long orNone(Long bytes) {
    return bytes == null ? 0 : bytes;
  }

  private static SpaceUse of(PrefixSpace prefix, int margin) {
    return new SpaceUse(null, Limit.QUOTA, prefix.prefix(), prefix.liveBytes(), prefix.quotaBytes())
        .leveled(prefix.bytes() >= prefix.quotaBytes(), margin);
  }

  private SpaceUse leveled(boolean exceeded, int margin) {
    double percent = 100 * part() + margin;
    Level its =
        exceeded
            ? Level.EXCEEDED
            : percent >= NEARLY_PERCENT
                ? Level.NEARLY_EXCEEDED
                : percent >= SCARCE_PERCENT ? Level.SCARCE : Level.FREE;
    return new SpaceUse(its, limit, prefix, used, most);
  }

  private double part() {
    return most <= 0 ? 0 : (double) used / most;
  }

  /** Of two, the one to tell of has the higher: a store's limit before one of a prefix. */
  int rank() {
    return 2 * level.ordinal() + (prefix == null ? 1 : 0);
  }

  public int percent() {
    return (int) (100 * part());
  }
}
