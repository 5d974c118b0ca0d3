// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.status;

import io.exaplane.api.v1alpha1.StoreRecovered;
import io.exaplane.api.v1alpha1.StoreRestart;
import io.exaplane.api.v1alpha1.StoreShardStatus;
import io.exaplane.operator.storeshard.usage.StoreFigures;
import java.util.Optional;
import java.util.function.Function;

/**
 * What became of a store's process and data since its status was last told: whether its volume is
 * another one, whether it restarted, and whether it lost what it had. Pure; made for one
 * reconciliation.
 */
final class StoreLife {
  /** Of a store that nothing was written to. */
  private static final long FIRST_REVISION = 1;

  private final StoreShardStatus before;
  private final String dataId;
  private final boolean lostVolume;
  private final Optional<StoreFigures> figures;
  private final StoreRestart restart;
  private final int losses;

  /**
   * @param before the status as it was told, null at first
   * @param dataId identity of the volume, if there is one now
   * @param measured the last that was measured, maybe of a process that is gone
   * @param end why the process before ended
   */
  StoreLife(
      StoreShardStatus before,
      Optional<String> dataId,
      Optional<StoreFigures> measured,
      String end) {
    this.before = before;
    String known = before(StoreShardStatus::dataId);
    this.dataId = dataId.orElse(known);
    this.lostVolume = known != null && !known.equals(this.dataId);
    this.figures = measured.filter(now -> !isOfLostVolume(now));
    this.restart = restart(end);
    Integer lossesBefore = before(StoreShardStatus::dataLosses);
    this.losses =
        (lossesBefore == null ? 0 : lossesBefore) + (lostVolume || hasRestartedEmpty() ? 1 : 0);
  }

  String dataId() {
    return dataId;
  }

  /** Whether the volume is another one than before. */
  boolean lostVolume() {
    return lostVolume;
  }

  /** How often it began with nothing though it had something, or might have had. */
  int losses() {
    return losses;
  }

  /** The last one; null if there was none. */
  StoreRestart restart() {
    return restart;
  }

  /** What was measured now, or what was last known, unless that was of a volume that is gone. */
  <T> T figure(Function<StoreFigures, T> measured, Function<StoreShardStatus, T> known) {
    return figures.map(measured).orElseGet(() -> lostVolume ? null : before(known));
  }

  /** When the process started that was last measured: known of one that is gone, too. */
  String startTime() {
    return figures.map(StoreLife::started).orElseGet(() -> before(StoreShardStatus::startTime));
  }

  /** Still those of the process before: of the new volume's nothing is known yet. */
  private boolean isOfLostVolume(StoreFigures figures) {
    boolean same = started(figures).equals(before(StoreShardStatus::startTime));
    return same && (lostVolume || before(StoreShardStatus::revision) == null);
  }

  /** This one, if another process answers than before. */
  private StoreRestart restart(String end) {
    String startTime = before(StoreShardStatus::startTime);
    return figures
        .filter(now -> startTime != null && !startTime.equals(started(now)))
        .map(now -> new StoreRestart(started(now), end, now.recovered()))
        .orElseGet(() -> before(StoreShardStatus::lastRestart));
  }

  /**
   * It found nothing, and had something: on a volume that is the same, since of one that is gone
   * nothing is known any more.
   */
  private boolean hasRestartedEmpty() {
    Long revision = before(StoreShardStatus::revision);
    return restart != null
        && !restart.equals(before(StoreShardStatus::lastRestart))
        && restart.recovered() == StoreRecovered.Empty
        && revision != null
        && revision > FIRST_REVISION;
  }

  private static String started(StoreFigures figures) {
    return figures.started().toString();
  }

  private <T> T before(Function<StoreShardStatus, T> field) {
    return before == null ? null : field.apply(before);
  }
}
