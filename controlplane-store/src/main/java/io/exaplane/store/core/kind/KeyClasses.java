// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.kind;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Tells of a key which Kind it is of and which rule applies to it. Used by the writer, but for
 * {@link #get}.
 *
 * <p>kube-apiserver's keys are {@code /registry/RESOURCE/…} or, with a group that has a dot in it,
 * {@code /registry/GROUP/RESOURCE/…}, with whatever prefix it was told in the place of registry.
 */
public final class KeyClasses {
  /** Kinds beyond this number are counted together: a client may use any keys. */
  private static final int MOST_CLASSES = 4096;

  /** As long as a name of Kubernetes can be. */
  private static final int MOST_KIND_CHARACTERS = 253;

  static final String OTHER = "other";

  /** Of keys whose history is as long as the store's. */
  public static final int NO_WINDOW = 0;

  private record Name(String kind, PrefixRule rule) {}

  private record Prefix(byte[] start, PrefixRule rule) {
    boolean fits(byte[] key, int offset, int length) {
      return length >= start.length
          && Arrays.equals(key, offset, offset + start.length, start, 0, start.length);
    }
  }

  private final List<Prefix> longestFirst = new ArrayList<>();
  private final Usage whole = new Usage();
  private final List<Quota> quotas = new ArrayList<>();
  private final WriteAges ages = new WriteAges();
  private final long[] windowsMs;
  private final Map<Name, Integer> numbers = new HashMap<>();
  private volatile KeyClass[] classes = {};

  /**
   * @param otherwise for keys that no prefix fits
   */
  public KeyClasses(List<PrefixRule> rules, Durability otherwise) {
    List<PrefixRule> all = new ArrayList<>(rules);
    all.add(new PrefixRule("", 0, otherwise));
    for (PrefixRule rule : all) {
      longestFirst.add(new Prefix(rule.prefix().getBytes(StandardCharsets.UTF_8), rule));
    }
    longestFirst.sort(Comparator.comparing(prefix -> -prefix.start().length));
    for (Prefix prefix : longestFirst) {
      ages.of(prefix.rule());
      if (prefix.rule().maxBytes() > 0) {
        quotas.add(new Quota(quotas.size(), prefix.rule(), new Usage()));
      }
    }
    windowsMs =
        LongStream.concat(
                LongStream.of(0),
                all.stream().mapToLong(PrefixRule::historyMs).filter(ms -> ms > 0))
            .distinct()
            .toArray();
  }

  /** Without any rule. */
  public static KeyClasses plain() {
    return new KeyClasses(List.of(), Durability.FSYNC);
  }

  /** All rules, that with the longest prefix first; the last one is for all keys. */
  public List<PrefixRule> rules() {
    return longestFirst.stream().map(Prefix::rule).toList();
  }

  /** Number of history windows, {@link #NO_WINDOW} included. */
  public int windows() {
    return windowsMs.length;
  }

  /** Length of a history window. */
  public long windowMs(int window) {
    return windowsMs[window];
  }

  /** Number of a rule's history window. */
  public int window(PrefixRule rule) {
    return IntStream.range(0, windowsMs.length)
        .filter(window -> windowsMs[window] == rule.historyMs())
        .findFirst()
        .orElseThrow();
  }

  /** Number of the class that a key is in. */
  public short of(byte[] key, int offset, int length) {
    PrefixRule rule = rule(key, offset, length);
    String kind = kind(key, offset, length);
    Integer number = numbers.get(new Name(kind, rule));
    if (number == null) {
      Name name = new Name(classes.length < MOST_CLASSES ? kind : OTHER, rule);
      number = numbers.computeIfAbsent(name, this::add);
    }
    return number.shortValue();
  }

  private PrefixRule rule(byte[] key, int offset, int length) {
    for (Prefix prefix : longestFirst) {
      if (prefix.fits(key, offset, length)) {
        return prefix.rule();
      }
    }
    throw new IllegalStateException("the empty prefix fits every key");
  }

  /** Of all keys. By the writer. */
  public Usage whole() {
    return whole;
  }

  /** Those of all prefixes that have one, by number: that of the longest prefix first. */
  public List<Quota> quotas() {
    return quotas;
  }

  /** The space of every prefix that has a limit. By the writer. */
  public List<PrefixSpace> prefixSpaces() {
    return quotas.stream()
        .map(
            quota ->
                new PrefixSpace(
                    quota.rule().prefix(),
                    quota.usage().bytes(),
                    quota.usage().liveBytes(),
                    quota.rule().maxBytes()))
        .toList();
  }

  /** When the keys of each prefix were written. By the writer. */
  public WriteAges ages() {
    return ages;
  }

  /**
   * A key of a class was put at a revision.
   *
   * @param replaced revision of the live version before, 0 if there was none
   */
  public void written(KeyClass of, long revision, long replaced) {
    if (of.ages() != null) {
      ages.put(of.ages(), revision, replaced);
    }
  }

  /** A key of a class was deleted whose newest version was of that revision. */
  public void deleted(KeyClass of, long revision) {
    if (of.ages() != null) {
      ages.deleted(of.ages(), revision);
    }
  }

  /** Whether any prefix has as many bytes as it may. By the writer. */
  public boolean isAnyFull() {
    for (int i = 0; i < quotas.size(); i++) {
      if (quotas.get(i).isFull()) {
        return true;
      }
    }
    return false;
  }

  private int add(Name name) {
    KeyClass[] grown = Arrays.copyOf(classes, classes.length + 1);
    boolean isInMemoryOnly =
        name.rule().durability() == Durability.MEMORY && strongest() != Durability.MEMORY;
    grown[classes.length] =
        new KeyClass(
            name.kind(),
            name.rule(),
            whole,
            quotasOf(name.rule()),
            window(name.rule()),
            isInMemoryOnly,
            ages.of(name.rule()));
    classes = grown;
    return grown.length - 1;
  }

  /** Keys count for every prefix of theirs that has a limit. */
  private List<Quota> quotasOf(PrefixRule rule) {
    return quotas.stream()
        .filter(quota -> rule.prefix().startsWith(quota.rule().prefix()))
        .toList();
  }

  /** A class by its number. By any thread. */
  public KeyClass get(short number) {
    return classes[number];
  }

  /** All that there are so far. */
  public List<KeyClass> all() {
    return List.of(classes);
  }

  /** Keys of all classes that exist. By the writer. */
  public long keys() {
    return all().stream().mapToLong(KeyClass::keys).sum();
  }

  /** What was put and deleted so far was before the start and is not counted. By the writer. */
  public void started() {
    all().forEach(KeyClass::started);
  }

  /** The weakest durability that any key may have. */
  public Durability weakest() {
    return longestFirst.stream()
        .map(prefix -> prefix.rule().durability())
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }

  /** The strongest durability that any key may have. */
  public Durability strongest() {
    return longestFirst.stream()
        .map(prefix -> prefix.rule().durability())
        .min(Comparator.naturalOrder())
        .orElseThrow();
  }

  /**
   * Whether a restart may lose writes of a rule's keys, while those of others are kept. If a
   * restart may lose writes of any key, that is so of none.
   */
  public boolean isLossy(PrefixRule rule) {
    return strongest() == Durability.FSYNC && rule.durability() != Durability.FSYNC;
  }

  /** Which keys are {@link #isLossy}: rules that make a difference, as text. Empty for none. */
  public String lossyKeys() {
    List<String> differences =
        longestFirst.stream()
            .map(Prefix::rule)
            .filter(rule -> isLossy(rule) != outer(rule).map(this::isLossy).orElse(false))
            .map(rule -> (isLossy(rule) ? "+" : "-") + rule.prefix())
            .sorted()
            .toList();
    return String.join("\n", differences);
  }

  /** The rule that would apply to a rule's keys without it. */
  private Optional<PrefixRule> outer(PrefixRule rule) {
    return longestFirst.stream()
        .map(Prefix::rule)
        .filter(other -> other.prefix().length() < rule.prefix().length())
        .filter(other -> rule.prefix().startsWith(other.prefix()))
        .findFirst();
  }

  /** The Kind of a key, or of the keys that a range begins with. Pure. */
  public static String kind(byte[] key, int offset, int length) {
    String kind = longKind(key, offset, length);
    return kind.length() > MOST_KIND_CHARACTERS ? OTHER : kind;
  }

  /**
   * Position of the slash behind what names the Kind of a key; behind the key if there is none.
   * Pure.
   */
  static int kindEnd(byte[] key, int offset, int length) {
    int end = offset + length;
    int prefix = indexOf(key, offset + 1, end);
    int first = indexOf(key, prefix + 1, end);
    if (first >= end) {
      return end;
    }
    String resource = text(key, prefix + 1, first);
    boolean hasTwo = resource.indexOf('.') >= 0 || resource.equals("services");
    int second = indexOf(key, first + 1, end);
    return hasTwo && second < end ? second : first;
  }

  /**
   * Position behind the part of a key that names its Kind, with its slash: what is before it tells
   * nothing of objects. Of other keys, their first part. Pure.
   */
  public static int prefixEnd(byte[] key, int offset, int length) {
    int end = offset + length;
    if (!longKind(key, offset, length).equals(OTHER)) {
      return Math.min(end, kindEnd(key, offset, length) + 1);
    }
    int from = length > 0 && key[offset] == '/' ? offset + 1 : offset;
    int slash = indexOf(key, from, end);
    return slash < end ? slash + 1 : from;
  }

  private static String longKind(byte[] key, int offset, int length) {
    int end = offset + length;
    int prefix = indexOf(key, offset + 1, end);
    int first = indexOf(key, prefix + 1, end);
    if (length == 0 || key[offset] != '/' || first >= end) {
      return OTHER;
    }
    String resource = text(key, prefix + 1, first);
    int second = indexOf(key, first + 1, end);
    if (resource.indexOf('.') >= 0 && second < end) {
      return text(key, first + 1, second) + "." + resource;
    }
    // Two Kinds that share a first part.
    boolean endpoints =
        resource.equals("services") && text(key, first + 1, second).equals("endpoints");
    return endpoints ? "endpoints" : resource;
  }

  private static int indexOf(byte[] key, int from, int end) {
    int at = from;
    while (at < end && key[at] != '/') {
      at++;
    }
    return at;
  }

  private static String text(byte[] key, int from, int end) {
    return new String(Arrays.copyOfRange(key, Math.min(from, end), end), StandardCharsets.UTF_8);
  }
}
