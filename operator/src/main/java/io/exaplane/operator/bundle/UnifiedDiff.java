// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.bundle;

import java.util.ArrayList;
import java.util.List;

/** The difference of two texts, as {@code diff -u} shows it. Pure. */
final class UnifiedDiff {
  private static final int CONTEXT = 3;

  private enum Side {
    BOTH(' '),
    OLD('-'),
    NEW('+');

    private final char mark;

    Side(char mark) {
      this.mark = mark;
    }
  }

  /** A line, and the number of lines of either text before it. */
  private record Line(Side side, String text, int old, int now) {}

  private UnifiedDiff() {}

  /**
   * The difference with its headers; empty for equal texts.
   *
   * @param name of the object, as {@code apps.v1.Deployment.ns.demo-apiserver}
   */
  static String of(String name, String before, String after) {
    List<Line> lines = lines(before.lines().toList(), after.lines().toList());
    StringBuilder text = new StringBuilder();
    int from = 0;
    while ((from = nextChange(lines, from)) < lines.size()) {
      if (text.isEmpty()) {
        text.append("--- LIVE/%s%n+++ MERGED/%s%n".formatted(name, name).replace("\r", ""));
      }
      int end = endOfHunk(lines, from);
      hunk(lines.subList(Math.max(0, from - CONTEXT), Math.min(lines.size(), end + CONTEXT)), text);
      from = end;
    }
    return text.toString();
  }

  private static int nextChange(List<Line> lines, int from) {
    int at = from;
    while (at < lines.size() && lines.get(at).side == Side.BOTH) {
      at++;
    }
    return at;
  }

  /** After the last change that is so near to the one before that their contexts meet. */
  private static int endOfHunk(List<Line> lines, int from) {
    int end = from;
    int next = from;
    while (next < lines.size() && next - end <= 2 * CONTEXT) {
      end = next;
      while (end < lines.size() && lines.get(end).side != Side.BOTH) {
        end++;
      }
      next = nextChange(lines, end);
    }
    return end;
  }

  private static void hunk(List<Line> lines, StringBuilder text) {
    long old = lines.stream().filter(line -> line.side != Side.NEW).count();
    long now = lines.stream().filter(line -> line.side != Side.OLD).count();
    Line first = lines.getFirst();
    text.append(
        "@@ -%d,%d +%d,%d @@\n"
            .formatted(
                old == 0 ? first.old : first.old + 1, old,
                now == 0 ? first.now : first.now + 1, now));
    lines.forEach(line -> text.append(line.side.mark).append(line.text).append('\n'));
  }

  private static List<Line> lines(List<String> before, List<String> after) {
    int[][] common = common(before, after);
    List<Line> lines = new ArrayList<>();
    int old = 0;
    int now = 0;
    while (old < before.size() || now < after.size()) {
      boolean both =
          old < before.size() && now < after.size() && before.get(old).equals(after.get(now));
      if (both) {
        lines.add(new Line(Side.BOTH, before.get(old), old++, now++));
      } else if (now == after.size()
          || old < before.size() && common[old + 1][now] >= common[old][now + 1]) {
        lines.add(new Line(Side.OLD, before.get(old), old++, now));
      } else {
        lines.add(new Line(Side.NEW, after.get(now), old, now++));
      }
    }
    return lines;
  }

  /** How many lines the rests of both texts have in common, in their order. */
  private static int[][] common(List<String> before, List<String> after) {
    int[][] common = new int[before.size() + 1][after.size() + 1];
    for (int old = before.size() - 1; old >= 0; old--) {
      for (int now = after.size() - 1; now >= 0; now--) {
        common[old][now] =
            before.get(old).equals(after.get(now))
                ? common[old + 1][now + 1] + 1
                : Math.max(common[old + 1][now], common[old][now + 1]);
      }
    }
    return common;
  }
}
