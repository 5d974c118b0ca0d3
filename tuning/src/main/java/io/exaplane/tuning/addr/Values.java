// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.addr;

import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.model.Numbers;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Inputs as text, and what they say. */
final class Values {
  private static final long MOST_DIGITS = 18;

  /** RFC 4291, 2.4. */
  private static final Map<Ipv6Prefix, String> NOT_FOR_HOSTS =
      Map.of(
          Ipv6Prefix.parse("::/8"), "reserved",
          Ipv6Prefix.parse("fe80::/10"), "link-local",
          Ipv6Prefix.parse("ff00::/8"), "multicast");

  private final Map<AddressInput, String> given;

  Values(Map<AddressInput, String> given) {
    this.given = Map.copyOf(given);
  }

  Optional<String> text(AddressInput input) {
    return Optional.ofNullable(given.get(input));
  }

  /**
   * A whole number.
   *
   * @throws InvalidInputException if it is not one, or outside of the range
   */
  Optional<Long> number(AddressInput input, long least, long most) {
    return text(input).map(value -> number(input.key(), value, least, most));
  }

  Optional<Integer> length(AddressInput input) {
    return number(input, 1, UInt128.BITS).map(Long::intValue);
  }

  static long number(String field, String value, long least, long most) {
    boolean whole = value.matches("\\d{1," + MOST_DIGITS + "}");
    if (!whole || Long.parseLong(value) < least || Long.parseLong(value) > most) {
      throw new InvalidInputException(
          field,
          value,
          "must be a whole number between %s and %s"
              .formatted(Numbers.text(least), Numbers.text(most)),
          whole ? "choose a number in this range" : "write digits only");
    }
    return Long.parseLong(value);
  }

  Optional<Ipv6Prefix> prefix(AddressInput input) {
    return text(input).map(value -> prefix(input, value));
  }

  /** One prefix or more; none if nobody gave the input. */
  List<Ipv6Prefix> prefixes(AddressInput input) {
    return text(input).stream()
        .flatMap(value -> Arrays.stream(value.split(",", -1)))
        .map(word -> prefix(input, word.strip()))
        .toList();
  }

  private static Ipv6Prefix prefix(AddressInput input, String value) {
    try {
      Ipv6Prefix prefix = Ipv6Prefix.parse(value);
      NOT_FOR_HOSTS.forEach(
          (other, name) -> {
            if (prefix.overlaps(other)) {
              throw new IllegalArgumentException("contains %s addresses".formatted(name));
            }
          });
      return prefix;
    } catch (IllegalArgumentException e) {
      throw new InvalidInputException(
          input.key(), value, e.getMessage(), "write it as 2001:db8:12::/56");
    }
  }
}
