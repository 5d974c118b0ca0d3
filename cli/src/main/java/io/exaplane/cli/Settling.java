// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.apply.manifest.Problem;
import io.exaplane.apply.manifest.Reading;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Tells readings that count from those of files that somebody is writing: what is new counts when
 * it is still so a moment later. One thread.
 */
final class Settling {
  /** Readings in a row that may differ before the files are read at their interval again. */
  static final int MOST = 10;

  /** A word with a digit: an identifier of a request, a port, or a time. */
  private static final Pattern OWN = Pattern.compile("\\S*\\d\\S*");

  private Look last;
  private int differing;

  Settling(Look first) {
    last = first;
  }

  /** What a reading is worth. */
  enum Worth {
    /** As what was taken. */
    OLD,
    /** New twice: to be taken. */
    SETTLED,
    /** New once: to be read again soon. */
    MOVING,
    /** As MOVING, for too long: to be said. */
    RESTLESS,
    /** The same after it was said: each interval has two readings. */
    STILL_RESTLESS
  }

  /** Judges a reading by what was taken and by the reading before. */
  Worth of(Look look, Look taken) {
    boolean news = !look.same(taken);
    boolean again = look.same(last);
    last = look;
    if (!news || again) {
      differing = 0;
      return news ? Worth.SETTLED : Worth.OLD;
    }
    differing++;
    if (differing == MOST) {
      return Worth.RESTLESS;
    }
    boolean secondOfInterval = differing > MOST && (differing - MOST) % 2 == 0;
    return secondOfInterval ? Worth.STILL_RESTLESS : Worth.MOVING;
  }

  /**
   * What the files held at one moment.
   *
   * @param reading null when it must not be wanted
   * @param refusal why; empty otherwise
   */
  record Look(Reading reading, String refusal) {
    /** Words that differ in numbers and identifiers alone are the same. */
    boolean same(Look other) {
      if (!refusal.isEmpty() || !other.refusal.isEmpty()) {
        return plain(refusal).equals(plain(other.refusal));
      }
      return reading.manifests().equals(other.reading.manifests())
          && plain(reading.problems()).equals(plain(other.reading.problems()));
    }

    private static List<Problem> plain(List<Problem> problems) {
      return problems.stream()
          .map(problem -> new Problem(problem.source(), plain(problem.message())))
          .toList();
    }

    private static String plain(String words) {
      return OWN.matcher(Objects.requireNonNullElse(words, "")).replaceAll("#");
    }
  }
}
