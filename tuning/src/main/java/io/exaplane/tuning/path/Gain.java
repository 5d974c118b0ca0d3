// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.path;

import io.exaplane.tuning.rules.Limit;

/**
 * What one change brings for one limit that the cluster exceeded.
 *
 * @param limit its name
 * @param unit of the values
 * @param before needed without the change
 * @param availableBefore what there is without the change
 * @param after needed with the change; 0 if there is no such limit then
 * @param available what there is with the change; 0 if there is no such limit then
 */
public record Gain(
    String limit,
    Limit.Unit unit,
    double before,
    double availableBefore,
    double after,
    double available) {
  /** Needed and available before and after, with units. */
  public String text() {
    return "%s: %s of %s → %s"
        .formatted(
            limit,
            unit.text(before),
            unit.text(availableBefore),
            available == 0
                ? "no limit any more"
                : unit.text(after) + " of " + unit.text(available));
  }
}
