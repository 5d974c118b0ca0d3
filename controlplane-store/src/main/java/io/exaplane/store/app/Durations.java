// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as Go writes them: {@code 10m}, {@code 1h30m}, {@code 100ms}. */
final class Durations implements ITypeConverter<Duration> {
  private static final Pattern PART = Pattern.compile("\\G(\\d+(?:\\.\\d+)?)(ns|us|µs|ms|s|m|h)");

  @Override
  public Duration convert(String text) {
    Matcher part = PART.matcher(text);
    Duration sum = Duration.ZERO;
    int end = 0;
    while (part.find()) {
      sum = sum.plusNanos((long) (Double.parseDouble(part.group(1)) * nanos(part.group(2))));
      end = part.end();
    }
    if (end == 0 || end != text.length()) {
      throw new TypeConversionException("'%s' is no duration, as 10m or 1h30m".formatted(text));
    }
    return sum;
  }

  private static double nanos(String unit) {
    return switch (unit) {
      case "ns" -> 1;
      case "us", "µs" -> 1e3;
      case "ms" -> 1e6;
      case "s" -> 1e9;
      case "m" -> 60e9;
      default -> 3600e9;
    };
  }
}
