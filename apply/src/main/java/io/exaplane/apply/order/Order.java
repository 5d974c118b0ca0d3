// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.order;

import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The order in which the objects of one source are applied. Pure; linear in objects and
 * dependencies.
 *
 * <p>Objects have a rank by wave and phase. Nobody waits longer than that for objects of an earlier
 * rank to be tried once. What an object needs by name, it waits for until it stands.
 */
public final class Order {
  /** Annotation: an integer from -1000 to 1000; 0 when absent. */
  public static final String WAVE = "apply.exaplane.io/wave";

  /**
   * Annotation of cli-utils: {@code GROUP/namespaces/NAMESPACE/KIND/NAME} or {@code
   * GROUP/KIND/NAME}, more than one by commas.
   */
  public static final String DEPENDS_ON = "config.kubernetes.io/depends-on";

  private static final int MOST_NAMED = 6;
  private static final int MOST_SHOWN = 120;
  private static final int[] NONE = {};

  private final List<Manifest> manifests;
  private final Map<ObjectKey, Integer> byKey = new HashMap<>();
  private final Map<String, Integer> definitions = new HashMap<>();
  private final int[][] needs;
  private final int[][] waitsFor;
  private final int[] ranks;
  private final Map<Integer, String> problems = new TreeMap<>();

  /**
   * A plan for manifests, by their indices.
   *
   * @param ranks rank of each, from 0 without gaps
   * @param rankCount number of ranks
   * @param needs what must exist before each
   * @param waitsFor what must be applied and healthy before each
   * @param problems why some can't be ordered: index to message
   */
  public record Plan(
      int[] ranks, int rankCount, int[][] needs, int[][] waitsFor, Map<Integer, String> problems) {}

  private Order(List<Manifest> manifests, Function<Manifest, Optional<Definition>> definitionOf) {
    this.manifests = manifests;
    int count = manifests.size();
    needs = new int[count][];
    waitsFor = new int[count][];
    ranks = new int[count];
    for (int at = 0; at < count; at++) {
      int index = at;
      byKey.put(manifests.get(at).key(), at);
      definitionOf
          .apply(manifests.get(at))
          .ifPresent(one -> definitions.put(one.groupKind(), index));
    }
  }

  /**
   * Plans.
   *
   * @param manifests with resolved namespaces, no key twice
   * @param definitionOf what a manifest defines, such as {@link Definition#of}
   * @return the plan
   */
  public static Plan of(
      List<Manifest> manifests, Function<Manifest, Optional<Definition>> definitionOf) {
    Order order = new Order(manifests, definitionOf);
    for (int at = 0; at < manifests.size(); at++) {
      order.read(at);
    }
    order.sort();
    int count = order.close();
    return new Plan(order.ranks, count, order.needs, order.waitsFor, order.problems);
  }

  private void read(int at) {
    Manifest manifest = manifests.get(at);
    List<Integer> needed = new ArrayList<>(2);
    if (!manifest.key().namespace().isEmpty()) {
      Integer namespace = byKey.get(new ObjectKey("", "Namespace", "", manifest.key().namespace()));
      if (namespace != null) {
        needed.add(namespace);
      }
    }
    Integer definition = definitions.get(manifest.gvk().groupKind());
    if (definition != null) {
      needed.add(definition);
    }
    needs[at] = needed.isEmpty() ? NONE : needed.stream().mapToInt(Integer::intValue).toArray();
    waitsFor[at] = explicit(at, manifest);
    ranks[at] = wave(at, manifest) * Phase.values().length + phase(manifest);
  }

  private static int phase(Manifest manifest) {
    return Phase.of(manifest.gvk().groupKind()).ordinal();
  }

  private int wave(int at, Manifest manifest) {
    String value = manifest.annotations().get(WAVE);
    if (value == null) {
      return 0;
    }
    try {
      int wave = Integer.parseInt(value.strip());
      if (wave >= -1000 && wave <= 1000) {
        return wave;
      }
    } catch (NumberFormatException e) {
      // Said below, together with numbers that are too large.
    }
    problems.put(
        at,
        "metadata.annotations['"
            + WAVE
            + "']: '"
            + cut(value)
            + "' must be an integer from -1000 to 1000; set a number, or delete the annotation");
    return 0;
  }

  private int[] explicit(int at, Manifest manifest) {
    String value = manifest.annotations().get(DEPENDS_ON);
    if (value == null) {
      return NONE;
    }
    List<Integer> found = new ArrayList<>();
    for (String one : value.split(",")) {
      ObjectKey key = parse(one.strip());
      Integer index = key == null ? null : byKey.get(key);
      if (index != null) {
        found.add(index);
        continue;
      }
      problems.put(
          at,
          "metadata.annotations['"
              + DEPENDS_ON
              + "']: '"
              + cut(one.strip())
              + (key == null
                  ? "' must be GROUP/namespaces/NAMESPACE/KIND/NAME or GROUP/KIND/NAME; correct it"
                  : "' must be an object of the same source; add its manifest, or delete the name"));
    }
    return found.stream().mapToInt(Integer::intValue).toArray();
  }

  private static String cut(String text) {
    String line = text.replaceAll("\\p{Cntrl}", "?");
    return line.length() <= MOST_SHOWN ? line : line.substring(0, MOST_SHOWN) + "…";
  }

  private static ObjectKey parse(String text) {
    String[] parts = text.split("/", -1);
    if (parts.length == 5 && parts[1].equals("namespaces")) {
      return new ObjectKey(parts[0], parts[3], parts[2], parts[4]);
    }
    return parts.length == 3 ? new ObjectKey(parts[0], parts[1], "", parts[2]) : null;
  }

  /** Kahn's algorithm: ranks follow dependencies; what remains stands in cycles, or behind them. */
  private void sort() {
    int count = manifests.size();
    int[] open = new int[count];
    List<List<Integer>> dependents = new ArrayList<>(count);
    for (int at = 0; at < count; at++) {
      dependents.add(null);
    }
    for (int at = 0; at < count; at++) {
      for (int[] some : List.of(needs[at], waitsFor[at])) {
        for (int one : some) {
          if (dependents.get(one) == null) {
            dependents.set(one, new ArrayList<>(2));
          }
          dependents.get(one).add(at);
          open[at]++;
        }
      }
    }
    ArrayDeque<Integer> ready = new ArrayDeque<>();
    for (int at = 0; at < count; at++) {
      if (open[at] == 0) {
        ready.add(at);
      }
    }
    while (!ready.isEmpty()) {
      int at = ready.remove();
      List<Integer> behind = dependents.get(at);
      if (behind == null) {
        continue;
      }
      for (int next : behind) {
        ranks[next] = Math.max(ranks[next], ranks[at]);
        if (--open[next] == 0) {
          ready.add(next);
        }
      }
    }
    for (int at = 0; at < count; at++) {
      if (open[at] > 0) {
        cycle(at, open);
      }
    }
  }

  /** Follows unmet dependencies until one comes twice: that is the cycle. */
  private void cycle(int start, int[] open) {
    List<Integer> path = new ArrayList<>();
    int at = start;
    while (!path.contains(at) && path.size() <= 64) {
      path.add(at);
      int next = -1;
      for (int[] some : List.of(waitsFor[at], needs[at])) {
        for (int one : some) {
          next = next < 0 && open[one] > 0 ? one : next;
        }
      }
      at = next;
    }
    int from = path.indexOf(at);
    List<Integer> circle = path.subList(Math.max(0, from), path.size());
    StringBuilder names = new StringBuilder();
    for (int one : circle.subList(0, Math.min(MOST_NAMED, circle.size()))) {
      names.append(manifests.get(one).key()).append(" waits for ");
    }
    // Each object of the circle, and each behind it, has such words.
    names.append(circle.size() > MOST_NAMED ? "others, and the last one waits for " : "");
    names.append(manifests.get(at).key());
    problems.put(
        start,
        (from == 0 ? "it is in a cycle: " : "it waits for a cycle: ")
            + names
            + "; delete one name from metadata.annotations['"
            + DEPENDS_ON
            + "']");
  }

  /** Ranks without gaps. */
  private int close() {
    int[] sorted = Arrays.stream(ranks).sorted().distinct().toArray();
    for (int at = 0; at < ranks.length; at++) {
      ranks[at] = Arrays.binarySearch(sorted, ranks[at]);
    }
    return sorted.length;
  }
}
