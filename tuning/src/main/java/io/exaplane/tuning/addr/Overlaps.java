// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.addr;

import io.exaplane.tuning.model.InvalidInputException;

/** Ranges that must not have an address in common. */
final class Overlaps {
  private Overlaps() {}

  /**
   * Refuses a range that has an address in common with another.
   *
   * @throws InvalidInputException if they overlap
   */
  static void refuse(AddressInput input, Ipv6Prefix range, Ipv6Prefix other, String name) {
    if (range.overlaps(other)) {
      throw new InvalidInputException(
          input.key(),
          range.toString(),
          "overlaps with %s, %s".formatted(other, name),
          "choose ranges without common addresses");
    }
  }
}
