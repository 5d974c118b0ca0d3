// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.path;

import io.exaplane.tuning.rules.Limit;

/**
 * What one change brings for one limit that the cluster exceeded.
 *
 * @param limit its name
 * @param unit of the three values
 * @param before needed without the change
 * @param after needed with the change; 0 if the limit is gone
 * @param available what there is with the change
 */
public record Gain(String limit, Limit.Unit unit, double before, double after, double available) {
  /** Before and after, with units, and what there is. */
  public String text() {
    return after == 0
        ? "%s: %s, and no limit any more".formatted(limit, unit.text(before))
        : "%s: %s → %s of %s"
            .formatted(limit, unit.text(before), unit.text(after), unit.text(available));
  }
}
