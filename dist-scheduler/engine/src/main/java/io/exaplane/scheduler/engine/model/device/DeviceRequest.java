// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model.device;

import io.exaplane.scheduler.engine.model.Toleration;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/**
 * What a claim asks for under one name.
 *
 * @param ranked whether it is a list of alternatives (firstAvailable), of which the first that
 *     there is does
 * @param options one, if it is not ranked; none if it is of an unknown kind
 */
public record DeviceRequest(String name, boolean ranked, List<Option> options) {
  /** How many devices. */
  public enum Mode {
    EXACT_COUNT,
    ALL,
    UNKNOWN
  }

  /**
   * Devices of a class.
   *
   * @param name of the alternative; of the request, if there is but one
   * @param selectors expressions that all have to match
   * @param adminAccess whether devices may be in use
   * @param capacity how much of what, by name
   */
  public record Option(
      String name,
      String deviceClass,
      List<String> selectors,
      Mode mode,
      long count,
      boolean adminAccess,
      List<Toleration> tolerations,
      Map<String, BigDecimal> capacity) {}

  /** As results refer to an option. */
  public String reference(Option option) {
    return ranked ? name + "/" + option.name() : name;
  }
}
