// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times of events as kube-apiserver, tables and search engines write them. */
final class AuditTimes {
  private static final Pattern NUMBER = Pattern.compile("(\\d{10,19})(?:\\.\\d+)?");

  /** A blank for the T; no zone, UTC, or one without a colon. */
  private static final Pattern OF_TABLE =
      Pattern.compile(
          "(\\d{4}-\\d\\d-\\d\\d)[T ](\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?) ?(Z|UTC|[+-]\\d\\d(?::?\\d\\d)?)?");

  /** What Azure's portal writes into files. */
  private static final DateTimeFormatter OF_PORTAL =
      new DateTimeFormatterBuilder()
          .parseCaseInsensitive()
          .appendPattern("M/d/uuuu, h:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
          .appendPattern(" a")
          .toFormatter(Locale.ROOT);

  private AuditTimes() {}

  /**
   * A time in microseconds since 1970. A number counts seconds, or their parts if it is too long
   * for seconds; a time without a zone is UTC.
   *
   * @throws DateTimeException if it is none
   */
  static long micros(String text) {
    Matcher number = NUMBER.matcher(text);
    if (number.matches()) {
      // 10 to 12 digits are seconds, 13 to 15 milliseconds, and so on.
      int thousands = (number.group(1).length() - 10) / 3;
      return new BigDecimal(text).movePointRight(6 - 3 * thousands).longValue();
    }
    OffsetDateTime time = parsed(text);
    return time.toEpochSecond() * 1_000_000 + time.get(ChronoField.MICRO_OF_SECOND);
  }

  private static OffsetDateTime parsed(String text) {
    try {
      return OffsetDateTime.parse(text);
    } catch (DateTimeParseException e) {
      return ofTable(text);
    }
  }

  private static OffsetDateTime ofTable(String text) {
    Matcher table = OF_TABLE.matcher(text);
    try {
      if (!table.matches()) {
        return LocalDateTime.parse(text, OF_PORTAL).atOffset(ZoneOffset.UTC);
      }
      String zone = table.group(3) == null || table.group(3).equals("UTC") ? "Z" : table.group(3);
      LocalDateTime local =
          LocalDateTime.parse(table.group(1) + "T" + table.group(2).replace(',', '.'));
      return local.atOffset(ZoneOffset.of(zone));
    } catch (DateTimeParseException e) {
      throw new DateTimeException(
          text.isEmpty()
              ? "an event without requestReceivedTimestamp"
              : "an event whose requestReceivedTimestamp is no time: " + text,
          e);
    }
  }
}
