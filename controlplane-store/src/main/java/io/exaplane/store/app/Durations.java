// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Durations as Go reads them: {@code 10m}, {@code 1h30m}, {@code 100ms}, {@code .5h}, {@code 0}.
 */
final class Durations implements ITypeConverter<Duration> {
  private static final Pattern PART =
      Pattern.compile("\\G(\\d+(?:\\.\\d*)?|\\.\\d+)(ns|us|µs|μs|ms|s|m|h)");

  @Override
  public Duration convert(String text) {
    boolean hasSign = text.startsWith("-") || text.startsWith("+");
    String parts = hasSign ? text.substring(1) : text;
    Matcher part = PART.matcher(parts);
    double sum = 0;
    int end = 0;
    while (part.find()) {
      sum += Double.parseDouble(part.group(1)) * nanos(part.group(2));
      end = part.end();
    }
    boolean isDuration = end > 0 && end == parts.length() || parts.equals("0");
    if (!isDuration) {
      throw new TypeConversionException(
          "'%s' is not a duration; write, for example, 10m or 1h30m".formatted(text));
    }
    if (sum >= Long.MAX_VALUE) {
      throw new TypeConversionException(
          "'%s' is too long; the longest duration is 2562047h".formatted(text));
    }
    return Duration.ofNanos(text.startsWith("-") ? (long) -sum : (long) sum);
  }

  private static double nanos(String unit) {
    return switch (unit) {
      case "ns" -> 1;
      case "us", "µs", "μs" -> 1e3;
      case "ms" -> 1e6;
      case "s" -> 1e9;
      case "m" -> 60e9;
      default -> 3600e9;
    };
  }
}
