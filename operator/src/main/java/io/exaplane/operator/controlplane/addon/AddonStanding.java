// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import io.exaplane.api.v1alpha1.AddonFailure;
import io.exaplane.apply.engine.Notice;
import io.exaplane.apply.engine.Summary;
import io.exaplane.apply.entry.Outcome;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.manifest.Problem;
import io.exaplane.apply.port.Health;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the objects of a source stand, in the words of a status. Pure.
 *
 * @param objects number of objects that could be read
 * @param applied those that were sent since their manifests changed last
 * @param unchanged those that were not sent
 * @param failed number of objects and files that are not as the source says
 * @param failures the first of them
 * @param good whether each object is as the source says, and healthy
 * @param waits the first object that waits for something, with the reason; null for none
 */
record AddonStanding(
    int objects,
    int applied,
    int unchanged,
    int failed,
    List<AddonFailure> failures,
    boolean good,
    AddonFailure waits) {
  /** Failures that a status shows. */
  static final int SHOWN = 5;

  private static final int MOST_CHARACTERS = 600;

  /** What the engine says before the words of a server. */
  private static final Pattern SAID = Pattern.compile("the server says (\\d+|no answer) \\w*:");

  /**
   * Of an engine's summary.
   *
   * @param problems files and documents that could not be read
   * @param late whether what is still under way counts as failed
   * @param secret whether values of the files are hidden
   */
  static AddonStanding of(Summary summary, List<Problem> problems, boolean late, boolean secret) {
    List<AddonFailure> all = new ArrayList<>(problems(problems, secret));
    boolean waiting = false;
    AddonFailure waits = null;
    for (Summary.Item item : summary.items()) {
      boolean isThere = item.outcome() == Outcome.APPLIED || item.outcome() == Outcome.UNCHANGED;
      boolean isHealthy = item.health() == Health.CURRENT || item.health() == Health.UNKNOWN;
      boolean isRefused =
          item.outcome() == Outcome.FAILED
              || item.outcome() == Outcome.YIELDED
              || item.outcome() == Outcome.TAKEN;
      if (isRefused
          || isThere && item.health() == Health.FAILED
          || late && !(isThere && isHealthy)) {
        all.add(failure(item, isThere, secret));
      } else {
        waiting |= !isThere || !isHealthy;
        boolean isTold = item.outcome() == Outcome.WAITING && !item.words().isEmpty();
        // Names of fields can quote values.
        if (isTold && waits == null && !secret && !item.key().kind().equals("Secret")) {
          waits = failure(item, false, false);
        }
      }
    }
    for (Notice notice : summary.problems()) {
      boolean isSecret = notice.key() != null && notice.key().kind().equals("Secret");
      all.add(failure(notice.key(), notice.place(), notice.message(), secret || isSecret));
    }
    if (!summary.halted().isEmpty()) {
      all.add(failure(null, null, summary.halted(), secret));
    }
    return new AddonStanding(
        summary.items().size(),
        summary.count(Outcome.APPLIED),
        summary.count(Outcome.UNCHANGED),
        all.size(),
        List.copyOf(all.subList(0, Math.min(SHOWN, all.size()))),
        all.isEmpty() && !waiting,
        waits);
  }

  /** Of files of which none could be read. */
  static List<AddonFailure> problems(List<Problem> problems, boolean secret) {
    return problems.stream()
        .map(
            problem ->
                failure(
                    null,
                    problem.source(),
                    secret
                        ? "can't be read; the reason is hidden, since it can show values of the Secret. 'exactl apply --dry-run' with the same files shows it"
                        : problem.message(),
                    secret))
        .toList();
  }

  /** Words without those of a server, which can quote values of objects. */
  static String hidden(String words) {
    Matcher said = SAID.matcher(words);
    return said.find()
        ? words.substring(0, said.end() - 1)
            + ". The full message is hidden, since it can show values of a Secret; 'exactl apply --dry-run' with the same files shows it"
        : words;
  }

  private static AddonFailure failure(Summary.Item item, boolean isThere, boolean secret) {
    String words =
        !isThere && !item.words().isEmpty()
            ? item.words()
            : isThere
                ? "its status says " + item.health().name().toLowerCase(Locale.ROOT)
                : "is not applied yet after timeoutSeconds";
    return failure(item.key(), item.place(), words, secret || item.key().kind().equals("Secret"));
  }

  private static AddonFailure failure(
      ObjectKey key, Manifest.Source place, String words, boolean secret) {
    String shown = secret ? hidden(words) : words;
    return new AddonFailure(
        key == null ? null : key.toString(),
        place == null ? null : place.file(),
        place == null || place.line() == 0 ? null : place.line(),
        shown.length() <= MOST_CHARACTERS ? shown : shown.substring(0, MOST_CHARACTERS) + "…");
  }

  /** The first failure in one line; empty without one. */
  static String first(List<AddonFailure> failures) {
    if (failures.isEmpty()) {
      return "";
    }
    AddonFailure first = failures.getFirst();
    String place =
        first.file() == null ? "" : first.file() + (first.line() == null ? "" : ":" + first.line());
    String what =
        first.object() == null
            ? place
            : first.object() + (place.isEmpty() ? "" : " (" + place + ")");
    return what.isEmpty() ? first.message() : what + ": " + first.message();
  }
}
