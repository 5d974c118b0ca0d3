// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.compare;

import io.exaplane.tuning.version.Durations;
import io.exaplane.tuning.version.Flag;
import io.exaplane.tuning.version.GoNumbers;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a component would not start with although it knows the flag: values that it can't take. */
final class Values {
  /** As Go's strconv.ParseBool has them. */
  private static final Set<String> TRUE = Set.of("1", "t", "T", "TRUE", "true", "True");

  private static final Set<String> FALSE = Set.of("0", "f", "F", "FALSE", "false", "False");
  private static final double MOST_GOAWAYS = 0.02;
  private static final Set<String> NOT_NEGATIVE =
      Set.of(
          "max-requests-inflight",
          "max-mutating-requests-inflight",
          "request-timeout",
          "min-request-timeout",
          "shutdown-delay-duration",
          "livez-grace-period");

  private static final Pattern MEMORY = Pattern.compile("(\\d+)(B|KiB|MiB|GiB|TiB)?");
  private static final Map<String, Integer> POWERS =
      Map.of("B", 0, "KiB", 1, "MiB", 2, "GiB", 3, "TiB", 4);

  private Values() {}

  static Optional<Boolean> bool(String value) {
    return TRUE.contains(value)
        ? Optional.of(true)
        : FALSE.contains(value) ? Optional.of(false) : Optional.empty();
  }

  /** Why a component that has the flag does not start with the value; nothing if it does. */
  static Optional<String> fault(String name, Flag flag, String value) {
    try {
      switch (flag.type()) {
        case "bool" -> {
          return bool(value).isPresent() ? Optional.empty() : Optional.of("must be true or false");
        }
        case "int", "int32", "int64", "count", "uint", "uint32", "Level" -> {
          Optional<String> outside = outside(flag.type(), value);
          if (outside.isPresent()) {
            return outside;
          }
        }
        case "float32" -> GoNumbers.floating(value, Float.MAX_VALUE);
        case "float", "float64" -> GoNumbers.floating(value, Double.MAX_VALUE);
        case "duration" -> Durations.nanos(value.replaceFirst("^[-+]", ""));
        default -> {
          return Optional.empty();
        }
      }
    } catch (NumberFormatException e) {
      return Optional.of("must be a number, as the flag's type is " + flag.type());
    } catch (IllegalArgumentException e) {
      return Optional.of("must be a duration such as 90s or 5m0s");
    }
    if (NOT_NEGATIVE.contains(name) && value.startsWith("-")) {
      return Optional.of("must not be negative");
    }
    if (name.equals("goaway-chance")) {
      double chance = GoNumbers.floating(value, Double.MAX_VALUE);
      return chance >= 0 && chance <= MOST_GOAWAYS
          ? Optional.empty()
          : Optional.of("must lie between 0 and " + MOST_GOAWAYS);
    }
    return Optional.empty();
  }

  /** What a type of whole numbers has no room for. The verbosity is read without a base. */
  private static Optional<String> outside(String type, String value) {
    boolean isVerbosity = type.equals("Level");
    BigInteger number = isVerbosity ? new BigInteger(value) : GoNumbers.whole(value);
    int bits = isVerbosity || type.endsWith("32") ? 32 : 64;
    boolean isSigned = !type.startsWith("u");
    BigInteger least = isSigned ? BigInteger.TWO.pow(bits - 1).negate() : BigInteger.ZERO;
    BigInteger most = BigInteger.TWO.pow(isSigned ? bits - 1 : bits).subtract(BigInteger.ONE);
    return number.compareTo(least) >= 0 && number.compareTo(most) <= 0
        ? Optional.empty()
        : Optional.of(
            "must lie between %s and %s, as the flag's type is %s".formatted(least, most, type));
  }

  /** Why Go's runtime ends a program that has the variable; nothing if it does not. */
  static Optional<String> faultOfVariable(String name, String value) {
    if (name.equals("GOMEMLIMIT") && !value.equals("off") && bytes(value) < 0) {
      return Optional.of(
          "must be a number of bytes such as 4096MiB, otherwise Go ends the program");
    }
    return Optional.empty();
  }

  static boolean sameVariable(String value, String advised) {
    return value.equals(advised) || bytes(value) >= 0 && bytes(value) == bytes(advised);
  }

  private static double bytes(String value) {
    Matcher matcher = MEMORY.matcher(value);
    if (!matcher.matches()) {
      return -1;
    }
    String unit = matcher.group(2) == null ? "B" : matcher.group(2);
    return Double.parseDouble(matcher.group(1)) * Math.pow(1024, POWERS.get(unit));
  }

  static boolean isTrue(String value) {
    return bool(value).orElseGet(() -> value.toLowerCase(Locale.ROOT).equals("true"));
  }
}
