// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.apf;

import io.exaplane.tuning.version.PriorityLevel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Seats of a priority level in one kube-apiserver, as it computes and reports them
 * (apiserver_flowcontrol_{nominal,lower,upper}_limit_seats;
 * pkg/util/flowcontrol/apf_controller.go).
 *
 * @param nominal its part of all seats
 * @param lower what is left when it has lent all that it may
 * @param upper what it has when it has borrowed all that it may
 */
public record Seats(int nominal, int lower, int upper) {
  /** Seats of each level, when these levels are all there are and share {@code total} seats. */
  public static Map<String, Seats> of(List<PriorityLevel> levels, int total) {
    double shares = levels.stream().mapToInt(PriorityLevel::shares).sum();
    Map<String, Seats> seats = new LinkedHashMap<>();
    for (PriorityLevel level : levels) {
      int nominal = (int) Math.ceil(total * level.shares() / shares);
      int lendable = (int) Math.round(nominal * (level.lendablePercent() / 100.0));
      int borrowable =
          level.borrowingLimitPercent().isPresent()
              ? (int) Math.round(nominal * (level.borrowingLimitPercent().getAsInt() / 100.0))
              : total;
      seats.put(level.name(), new Seats(nominal, nominal - lendable, nominal + borrowable));
    }
    return seats;
  }
}
