// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/**
 * Values of flags as Go writes them, since flags of etcd mean here what they mean there: {@code T}
 * and {@code 1} are true, {@code 0x10} and {@code 8_589_934_592} are numbers, and one dash before a
 * flag does as well as two.
 */
final class GoValues {
  private static final Pattern ONE_DASH =
      Pattern.compile("-([a-z][a-z0-9-]+)(?:=.*)?", Pattern.DOTALL);
  private static final Pattern NUMBER =
      Pattern.compile("([-+]?)(?:0([xX]|[bB]|[oO]?)_?)?([0-9a-fA-F]+(?:_[0-9a-fA-F]+)*)");
  private static final int HEXADECIMAL = 16;
  private static final int DECIMAL = 10;
  private static final int OCTAL = 8;
  private static final int BINARY = 2;

  private GoValues() {}

  /** Has a command, and those below it, take values so. */
  static CommandLine addTo(CommandLine command) {
    return command
        .registerConverter(Boolean.class, GoValues::flag)
        .registerConverter(Boolean.TYPE, GoValues::flag)
        .registerConverter(Long.class, GoValues::number)
        .registerConverter(Long.TYPE, GoValues::number)
        .registerConverter(Integer.class, GoValues::small)
        .registerConverter(Integer.TYPE, GoValues::small);
  }

  /**
   * The arguments, with two dashes before each flag of the command that has one, and before those
   * of etcd, whose first letter would count as a flag otherwise.
   */
  static String[] withTwoDashes(CommandLine command, String... arguments) {
    return Arrays.stream(arguments)
        .map(
            argument -> {
              Matcher flag = ONE_DASH.matcher(argument);
              if (!flag.matches()) {
                return argument;
              }
              String name = "--" + flag.group(1);
              boolean isKnown =
                  command.getCommandSpec().findOption(name) != null || EtcdFlags.has(name);
              return isKnown ? "-" + argument : argument;
            })
        .toArray(String[]::new);
  }

  /** As Go's strconv.ParseBool. */
  static boolean flag(String text) {
    return switch (text) {
      case "1", "t", "T", "true", "TRUE", "True" -> true;
      case "0", "f", "F", "false", "FALSE", "False" -> false;
      default -> throw new TypeConversionException("'%s' must be true or false".formatted(text));
    };
  }

  /** As Go's strconv.ParseInt with base 0. */
  static long number(String text) {
    return whole(text, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  private static int small(String text) {
    return (int) whole(text, Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  private static long whole(String text, long least, long most) {
    Matcher number = NUMBER.matcher(text);
    if (number.matches()) {
      int base =
          switch (number.group(2) == null ? "10" : number.group(2)) {
            case "x", "X" -> HEXADECIMAL;
            case "b", "B" -> BINARY;
            case "10" -> DECIMAL;
            default -> OCTAL;
          };
      try {
        BigInteger value = new BigInteger(number.group(1) + number.group(3).replace("_", ""), base);
        if (value.compareTo(BigInteger.valueOf(least)) >= 0
            && value.compareTo(BigInteger.valueOf(most)) <= 0) {
          return value.longValue();
        }
      } catch (NumberFormatException e) {
        // A digit that the base does not have: refused with the others.
        throw refused(text, most, e);
      }
    }
    throw refused(text, most, null);
  }

  private static TypeConversionException refused(String text, long most, Exception cause) {
    TypeConversionException refusal =
        new TypeConversionException(
            "'%s' must be a whole number without a unit, at most %d; correct it and start again"
                .formatted(text, most));
    refusal.initCause(cause);
    return refusal;
  }
}
