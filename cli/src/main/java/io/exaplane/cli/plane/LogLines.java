// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Lines of logs with the kubelet's times in front. Pure. */
public final class LogLines {
  private static final Pattern TIMED =
      Pattern.compile("^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\S* ?");

  /** klog's E and F, words of other loggers, and the last words of Go and Java. */
  private static final Pattern TELLING =
      Pattern.compile(
          "^[EF]\\d{4} |(?i)\\b(level=(error|fatal)|error:|fatal|panic:|exception in thread|\"level\":\"(error|fatal)\")");

  private LogLines() {}

  /**
   * A line of a container.
   *
   * @param time RFC 3339 with nanoseconds, as the kubelet writes it; empty if it wrote none
   */
  public record Line(String pod, String container, String time, String text) {}

  /** The lines of a container's log. */
  public static List<Line> of(String pod, String container, String log) {
    List<Line> lines = new ArrayList<>();
    log.lines()
        .filter(each -> !each.isEmpty())
        .forEach(each -> lines.add(line(pod, container, each)));
    return lines;
  }

  /** A line as the kubelet gives it. */
  public static Line line(String pod, String container, String raw) {
    var timed = TIMED.matcher(raw);
    return timed.find()
        ? new Line(pod, container, timed.group().strip(), raw.substring(timed.end()))
        : new Line(pod, container, "", raw);
  }

  /** All lines in the order of their times; those of one container keep their order. */
  public static List<Line> merged(List<List<Line>> logs) {
    return logs.stream()
        .flatMap(List::stream)
        // Nanoseconds without their last zeros sort wrongly as they are.
        .sorted(Comparator.comparing(line -> padded(line.time())))
        .toList();
  }

  /** With nine digits of a second, so that the order of texts is that of times. */
  private static String padded(String time) {
    String bare = time.endsWith("Z") ? time.substring(0, time.length() - 1) : time;
    int point = bare.indexOf('.');
    String fraction = point < 0 ? "" : bare.substring(point + 1);
    String whole = point < 0 ? bare : bare.substring(0, point);
    return whole + "." + fraction + "0".repeat(Math.max(0, 9 - fraction.length()));
  }

  /** The newest line that tells of an error, or the newest one. */
  static Optional<String> telling(String log) {
    List<String> lines =
        of("", "", log).stream().map(Line::text).filter(text -> !text.isBlank()).toList();
    return lines.reversed().stream()
        .filter(text -> TELLING.matcher(text).find())
        .findFirst()
        .or(() -> lines.isEmpty() ? Optional.empty() : Optional.of(lines.getLast()))
        .map(String::strip);
  }
}
