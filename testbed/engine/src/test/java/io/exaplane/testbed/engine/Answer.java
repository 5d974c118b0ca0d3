// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.engine;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All that is found out about a pod; the engine's and the oracle's have to be equal. */
@JsonIgnoreProperties("scenario")
record Answer(
    String pod,
    String error,
    Map<String, Scored> feasible,
    Map<String, Verdict> infeasible,
    String message,
    Map<String, Eviction> candidates,
    List<String> best,
    String notEligible,
    List<String> idle,
    Map<String, Map<String, List<String>>> grants,
    boolean clears,
    String permit,
    Map<String, String> group) {
  private static final String SEVERAL_ERRORS = "preemption: [";

  /** A node's weighted scores. */
  record Scored(long total, Map<String, Long> scores) {}

  /** Who refuses a node; reasons sorted, because kube-scheduler walks through a map for some. */
  record Verdict(String plugin, String status, List<String> reasons) {}

  /** What has to go from a node. */
  record Eviction(List<String> victims, int pdbViolations) {}

  /** What differs, in words; empty if nothing does. */
  String differenceTo(Answer other) {
    if (!pod.equals(other.pod)) {
      return "another pod: " + other.pod;
    }
    StringBuilder text = new StringBuilder();
    compare("error", error, other.error, text);
    compare("feasible", feasible, other.feasible, text);
    compare("infeasible", infeasible, other.infeasible, text);
    compare("message", message, other.message, text);
    compare("candidates", candidates, other.candidates, text);
    compare("best", best, other.best, text);
    compare("notEligible", notEligible, other.notEligible, text);
    compare("idle", idle, other.idle, text);
    compare("grants", grants, other.grants, text);
    compare("clears", clears, other.clears, text);
    compare("permit", permit, other.permit, text);
    compare("group", group, other.group, text);
    return text.toString();
  }

  private static void compare(String what, Object ours, Object theirs, StringBuilder text) {
    if (ours instanceof Map<?, ?> a && theirs instanceof Map<?, ?> b) {
      TreeSet<Object> keys = new TreeSet<>(a.keySet());
      keys.addAll(b.keySet());
      keys.forEach(key -> compare(what + "[" + key + "]", a.get(key), b.get(key), text));
    } else if (ours == null ? theirs != null : !ours.equals(theirs)) {
      text.append("  ")
          .append(what)
          .append(": ours ")
          .append(ours)
          .append(", kube-scheduler's ")
          .append(theirs)
          .append('\n');
    }
  }

  /** The same with nothing where there is none, and everything in order. */
  Answer normal() {
    Map<String, Verdict> refusals = new TreeMap<>();
    infeasible.forEach(
        (node, v) ->
            refusals.put(
                node,
                new Verdict(
                    v.plugin(),
                    v.status(),
                    v.reasons() == null ? List.of() : v.reasons().stream().sorted().toList())));
    Map<String, Scored> scored = new TreeMap<>();
    feasible.forEach(
        (node, s) -> scored.put(node, new Scored(s.total(), new TreeMap<>(s.scores()))));
    Map<String, Eviction> evictions = new TreeMap<>();
    if (candidates != null) {
      candidates.forEach(
          (node, e) ->
              evictions.put(
                  node, new Eviction(e.victims().stream().sorted().toList(), e.pdbViolations())));
    }
    return new Answer(
        pod,
        withoutRuntime(blank(error)),
        scored,
        refusals,
        inOrder(blank(message)),
        evictions,
        best == null ? List.of() : best.stream().sorted().toList(),
        blank(notEligible),
        idle == null ? List.of() : idle.stream().sorted().toList(),
        grants == null ? Map.of() : grants,
        clears,
        blank(permit),
        inOrderOfMap(group));
  }

  private static Map<String, String> inOrderOfMap(Map<String, String> group) {
    Map<String, String> all = new TreeMap<>();
    if (group != null) {
      group.forEach((pod, says) -> all.put(pod, withoutRuntime(says)));
    }
    return all;
  }

  /** The same with what is said to a pod that was put onto a node with its group. */
  Answer permitted(String said) {
    return new Answer(
        pod,
        error,
        feasible,
        infeasible,
        message,
        candidates,
        best,
        notEligible,
        idle,
        grants,
        clears,
        said,
        group);
  }

  /** The same with what becomes of the pods of its group. */
  Answer decidedTogether(Map<String, String> becomes) {
    return new Answer(
        pod,
        error,
        feasible,
        infeasible,
        message,
        candidates,
        best,
        notEligible,
        idle,
        grants,
        clears,
        permit,
        becomes);
  }

  /** Errors of several nodes come in the order in which kube-scheduler walks through a map. */
  private static String inOrder(String message) {
    int begin = message.indexOf(SEVERAL_ERRORS);
    if (begin < 0) {
      return withoutRuntime(message);
    }
    int first = begin + SEVERAL_ERRORS.length();
    String errors = message.substring(first).replaceAll("]$", "");
    return message.substring(0, first)
        + Stream.of(errors.split(", (?=running )"))
            .map(Answer::withoutRuntime)
            .sorted()
            .collect(Collectors.joining(", "));
  }

  /** What CEL says in Go and in Java differs in words. */
  private static String withoutRuntime(String error) {
    int end = error.indexOf("CEL runtime error");
    return end < 0 ? error : error.substring(0, end);
  }

  private static String blank(String text) {
    return text == null ? "" : text;
  }
}
