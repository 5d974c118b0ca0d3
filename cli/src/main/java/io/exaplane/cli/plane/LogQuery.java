// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

/**
 * Which lines of a container are asked for.
 *
 * @param previous of the container before its last restart
 * @param follow whether lines that come later are told as well
 * @param tailLines the newest so many lines; 0 for all
 * @param sinceSeconds the lines of the last so many seconds; 0 for all
 */
public record LogQuery(
    String pod,
    String container,
    boolean previous,
    boolean follow,
    int tailLines,
    long sinceSeconds) {
  /** No container of a report or a screen takes more. */
  private static final int MOST_BYTES = 8 << 20;

  /** The newest lines of a container. */
  static LogQuery tail(String pod, String container, boolean previous, int lines) {
    return new LogQuery(pod, container, previous, false, lines, 0);
  }

  LogQuery once() {
    return new LogQuery(pod, container, previous, false, tailLines, sinceSeconds);
  }

  String parameters() {
    return "container="
        + Management.encoded(container)
        + "&timestamps=true"
        + (previous ? "&previous=true" : "")
        + (follow ? "&follow=true" : "&limitBytes=" + MOST_BYTES)
        + (tailLines > 0 ? "&tailLines=" + tailLines : "")
        + (sinceSeconds > 0 ? "&sinceSeconds=" + sinceSeconds : "");
  }
}
