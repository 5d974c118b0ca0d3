// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.rotation;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A long-lived key as its Secret keeps it: the key that is used, and beside it the next or the old
 * one. One write makes one step, so whoever reads the Secret sees a whole step. Immutable.
 *
 * @param stage what is trusted and used
 * @param step number of steps that were made; 0 for a key that was never rotated
 * @param since when the last step was made
 * @param current files of the key that is used
 * @param other files, by the same names, of the next or of the old key; empty in {@code SINGLE}
 */
public record RotatedKey(
    Stage stage, int step, Instant since, Map<String, String> current, Map<String, String> other) {
  /** The file that says which step it is: number, stage and time. */
  public static final String FILE = "rotation";

  private static final String NEXT = "next-";
  private static final String OLD = "old-";

  /** The same, with nothing that can be changed from outside. */
  public RotatedKey {
    current = Map.copyOf(current);
    other = Map.copyOf(other);
  }

  /**
   * Reads a Secret. A person may have restored one without the file of the step: the files of the
   * keys alone then say the stage.
   *
   * @param names of the files of one key
   */
  public static RotatedKey read(Map<String, byte[]> files, List<String> names) {
    Map<String, String> current = named(files, "", names);
    Map<String, String> next = named(files, NEXT, names);
    Map<String, String> old = named(files, OLD, names);
    Stage stage =
        next.size() == names.size()
            ? Stage.TRUSTED
            : old.size() == names.size() ? Stage.ISSUING : Stage.SINGLE;
    Optional<String[]> told = told(files.get(FILE));
    if (stage == Stage.ISSUING && told.filter(t -> t[1].equals(Stage.SERVING.name())).isPresent()) {
      stage = Stage.SERVING;
    }
    return new RotatedKey(
        stage,
        told.map(t -> Integer.parseInt(t[0])).orElse(stage.ordinal()),
        told.map(t -> Instant.parse(t[2])).orElse(Instant.EPOCH),
        current,
        stage == Stage.TRUSTED ? next : stage == Stage.SINGLE ? Map.of() : old);
  }

  private static Map<String, String> named(
      Map<String, byte[]> files, String prefix, List<String> names) {
    Map<String, String> found = new TreeMap<>();
    for (String name : names) {
      byte[] file = files.get(prefix + name);
      if (file != null) {
        found.put(name, new String(file, StandardCharsets.US_ASCII));
      }
    }
    return found;
  }

  private static Optional<String[]> told(byte[] file) {
    if (file == null) {
      return Optional.empty();
    }
    String[] words = new String(file, StandardCharsets.US_ASCII).trim().split(" ");
    try {
      return words.length == 3
              && Integer.parseInt(words[0]) >= 0
              && Instant.parse(words[2]).isAfter(Instant.MIN)
          ? Optional.of(words)
          : Optional.empty();
    } catch (NumberFormatException | DateTimeException unreadable) {
      return Optional.empty();
    }
  }

  /** The files of its Secret. */
  public Map<String, String> files() {
    Map<String, String> files = new LinkedHashMap<>(current);
    String prefix = stage == Stage.TRUSTED ? NEXT : OLD;
    other.forEach((name, text) -> files.put(prefix + name, text));
    if (step > 0) {
      files.put(FILE, step + " " + stage + " " + since + "\n");
    }
    return files;
  }

  /** The key that servers show: the old one until everybody can know the other. */
  public Map<String, String> served() {
    return stage == Stage.ISSUING ? other : current;
  }

  /** Everything that is trusted, the key that servers show first. */
  public List<Map<String, String>> trusted() {
    return other.isEmpty()
        ? List.of(current)
        : stage == Stage.ISSUING ? List.of(other, current) : List.of(current, other);
  }

  /** The same key with its next step. */
  RotatedKey step(Stage next, Map<String, String> current, Map<String, String> other, Instant now) {
    return new RotatedKey(next, step + 1, now, current, other);
  }
}
