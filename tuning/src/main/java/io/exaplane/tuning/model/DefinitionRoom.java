// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.model;

/**
 * Whether a kube-apiserver has memory for definitions that it does not serve yet. Immutable; any
 * thread.
 *
 * @param cost of the new definitions
 * @param liveBytes of the kube-apiserver's heap now; zero or negative if nobody knows
 * @param limitBytes its GOMEMLIMIT; zero or negative if nobody knows, or without one
 */
public record DefinitionRoom(DefinitionCost cost, double liveBytes, double limitBytes) {
  /**
   * The part of the live heap, as a server tells it, that stays. The rest is work that was under
   * way during the last collection: with definitions of two sizes, 8 and 14 % (DESIGN.md).
   */
  private static final double STAYS = 0.9;

  /**
   * Whether live heap and its limit are known.
   *
   * @return false if nobody can say whether the definitions fit
   */
  public boolean isKnown() {
    return liveBytes > 0 && limitBytes > 0;
  }

  /**
   * Whether the definitions surely do not fit: the live heap would pass what leaves the collector
   * room.
   *
   * @return false also if nobody knows
   */
  public boolean tooMany() {
    return isKnown() && expectedBytes() > DefinitionCost.roomyHeap(limitBytes);
  }

  /**
   * The live heap with the definitions.
   *
   * @return bytes; only for a room that {@link #isKnown}
   */
  public double expectedBytes() {
    return STAYS * liveBytes + cost.liveBytes();
  }

  /**
   * Whether the definitions would not fit even if the live heap were empty: then it is no use to
   * wait until the live heap falls.
   *
   * @return false also if nobody knows
   */
  public boolean neverFits() {
    return isKnown() && cost.liveBytes() > DefinitionCost.roomyHeap(limitBytes);
  }

  /**
   * What the definitions take.
   *
   * @return words without a full stop, as "300 new definitions take about 155 MiB of each
   *     kube-apiserver's live heap"
   */
  public String need() {
    return "%d new definitions take about %s of each kube-apiserver's live heap"
        .formatted(cost.definitions(), Bytes.text(cost.liveBytes()));
  }

  /**
   * What they take, and what there is.
   *
   * @return words without a full stop; only for a room that {@link #isKnown}
   */
  public String needAndRoom() {
    return "%s, which is %s of at most %s (GOMEMLIMIT is %s)"
        .formatted(
            need(),
            Bytes.text(liveBytes),
            Bytes.text(DefinitionCost.roomyHeap(limitBytes)),
            Bytes.text(limitBytes));
  }

  /**
   * The memory limit of a container in which the definitions fit.
   *
   * @return bytes, a multiple of 256 MiB
   */
  public double wantedLimitBytes() {
    return cost.limitBytes(liveBytes);
  }
}
