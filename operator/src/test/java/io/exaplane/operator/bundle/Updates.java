// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.bundle;

import java.util.Map;
import java.util.Optional;

/** Pins and what is told of them, for tests. */
public final class Updates {
  private Updates() {}

  /** Of an owner that has nothing yet. */
  public static Pins pins() {
    return new Pins(
        new Pins.Owner("b-1", null, MaintenanceWindow.NONE, null, "m", "o-bundle"),
        Optional.empty(),
        Map.of());
  }

  /** Nothing is pending. */
  public static Update none() {
    return pins().update();
  }
}
