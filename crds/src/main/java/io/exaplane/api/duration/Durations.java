// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.duration;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as fields have them: {@code 1h30m}, {@code 90s}, {@code 500ms}. Pure. */
public final class Durations {
  private static final Pattern MILLISECONDS = Pattern.compile("([0-9]{1,15})ms");
  private static final long SECOND_MS = 1_000;
  private static final long MINUTE = 60;
  private static final long HOUR = 3_600;

  private Durations() {}

  /**
   * Reads a duration of hours, minutes and seconds in this order, or of milliseconds alone.
   *
   * @throws DateTimeParseException if the text has another form; schemas refuse such text
   */
  public static Duration parse(String text) {
    Matcher milliseconds = MILLISECONDS.matcher(text);
    return milliseconds.matches()
        ? Duration.ofMillis(Long.parseLong(milliseconds.group(1)))
        : Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
  }

  /**
   * The same with a default.
   *
   * @param text null for a field that is not set
   */
  public static Duration parse(String text, Duration otherwise) {
    return text == null ? otherwise : parse(text);
  }

  /**
   * A duration as people write it, in its largest whole unit: {@code 30m}, {@code 90s} or {@code
   * 500ms}.
   *
   * @param time whole milliseconds; a smaller part is left out
   */
  public static String text(Duration time) {
    long millis = time.toMillis();
    if (millis % SECOND_MS != 0) {
      return millis + "ms";
    }
    long seconds = millis / SECOND_MS;
    if (seconds > 0 && seconds % HOUR == 0) {
      return seconds / HOUR + "h";
    }
    return seconds > 0 && seconds % MINUTE == 0 ? seconds / MINUTE + "m" : seconds + "s";
  }
}
