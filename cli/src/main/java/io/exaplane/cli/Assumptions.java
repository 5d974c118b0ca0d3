// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.scheduler.engine.model.Fields;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * By pending pod, what its verdict rests on and the files do not have. Objects come in any order,
 * so that pods with references are kept until all are there. One thread.
 */
final class Assumptions {
  private static final int SHOWN = 3;

  /** Kinds that decide nothing by themselves, and fill pods in. */
  private static final Map<String, String> FILLING =
      Map.of("RuntimeClass", "node.k8s.io", "PriorityClass", "scheduling.k8s.io");

  private final GivenObjects given = new GivenObjects();
  private final Map<PodShape, List<String>> pending = new LinkedHashMap<>();
  private final Map<String, List<Assumption>> byPod = new HashMap<>();
  private final Map<Assumption, Names> pods = new LinkedHashMap<>();
  private final Set<String> brokenOff = new LinkedHashSet<>();

  /** The first of some names, and how many they are. */
  private static final class Names {
    private final List<String> first = new ArrayList<>();
    private int count;

    void add(String name) {
      count++;
      if (first.size() < SHOWN) {
        first.add(name);
      }
    }

    @Override
    public String toString() {
      return String.join(", ", first) + (count > SHOWN ? ", …" : "");
    }
  }

  /** To be called before the objects of a file. */
  void nextFile() {
    given.nextFile();
  }

  /**
   * Takes an object.
   *
   * @param decides whether the engine reads its kind
   */
  void take(Map<String, Object> object, Fields fields, boolean decides) {
    String kind = fields.string("kind");
    String group = FILLING.get(kind);
    boolean fills = group != null && (fields.string("apiVersion", group).startsWith(group));
    if (!decides && !fills) {
      return;
    }
    given.take(fields);
    if (kind.equals("Pod") && isDecided(fields)) {
      Fields meta = fields.child("metadata");
      pending
          .computeIfAbsent(PodShape.of(object), any -> new ArrayList<>())
          .add(meta.string("namespace", "default") + "/" + meta.string("name"));
    }
  }

  /** Nobody looks for a node for what is gone, ended, or not to be scheduled yet. */
  private static boolean isDecided(Fields pod) {
    String phase = pod.child("status").string("phase");
    return pod.child("spec").string("nodeName").isEmpty()
        && pod.child("spec").children("schedulingGates").isEmpty()
        && !pod.child("metadata").has("deletionTimestamp")
        && !phase.equals("Succeeded")
        && !phase.equals("Failed");
  }

  /** A whole list of one kind, perhaps of none. */
  void takeList(String kind) {
    given.takeList(kind);
  }

  /** A list of which the server has more. */
  void takeBrokenOff(String kind) {
    brokenOff.add(kind);
  }

  /** To be called when all objects are there. */
  void end() {
    List<Assumption> ofAll = ofAll();
    pending.forEach(
        (shape, keys) -> {
          List<Assumption> found = new ArrayList<>(ofAll);
          found.addAll(PodNeeds.of(shape.fields(), given));
          List<Assumption> distinct = found.stream().distinct().toList();
          if (!distinct.isEmpty()) {
            keys.forEach(key -> put(key, distinct));
          }
        });
    pending.clear();
  }

  private List<Assumption> ofAll() {
    List<Assumption> ofAll = given.ofAll();
    for (String kind : brokenOff) {
      ofAll.add(
          new Assumption(
                  kind + ", the rest",
                  "the rest of the list on the server does not exist",
                  "kubectl get --chunk-size=0")
              .toldApart());
    }
    return ofAll;
  }

  private void put(String key, List<Assumption> found) {
    byPod.merge(key, found, (a, b) -> Stream.concat(a.stream(), b.stream()).distinct().toList());
    found.forEach(one -> pods.computeIfAbsent(one, any -> new Names()).add(key));
  }

  /** Of a pod that others have to go for: nobody said which of them may. */
  void victims(String pod) {
    List<Assumption> assumed = given.ofVictims();
    if (!assumed.isEmpty()) {
      put(pod, assumed);
    }
  }

  List<Assumption> of(String pod) {
    return byPod.getOrDefault(pod, List.of());
  }

  /** How many verdicts rest on something that is assumed. */
  int podCount() {
    return byPod.size();
  }

  void print(PrintWriter err) {
    if (!given.repeated().isEmpty()) {
      err.printf(
          "warning: metadata.name: %d nodes and pods are more than once in one file, and the last "
              + "one of each counts; write a file of one moment: %s%n",
          given.repeated().size(), some(given.repeated()));
    }
    pods.forEach(
        (one, names) -> {
          if (!one.isToldApart()) {
            err.printf(
                "warning: %s: missing in the files; assumed: %s. Verdicts on %d pending pods depend"
                    + " on this: %s. Run '%s' to get the object%n",
                one.missing(), one.taken(), names.count, names, one.get());
          }
        });
  }

  /** The first of some names. */
  static String some(Iterable<String> names) {
    Names some = new Names();
    names.forEach(some::add);
    return some.toString();
  }
}
