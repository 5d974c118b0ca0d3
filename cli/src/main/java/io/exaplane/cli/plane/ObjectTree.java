// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * An object or a component with what is below it. Immutable.
 *
 * @param state in one or two words
 * @param words what is wrong; empty if nothing is
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ObjectTree(
    String kind, String name, String state, String words, List<ObjectTree> children) {
  private static final int MOST_WORDS = 110;

  /** A row as it is drawn. */
  public record Row(String object, String state, String words) {}

  /** Of a control plane and all that was read of it. Pure. */
  public static ObjectTree of(PlaneView view) {
    JsonNode plane = view.plane();
    List<ObjectTree> below = new ArrayList<>();
    component(view, "kube-apiserver", "apiServer", "apiserver", below);
    component(view, "kube-controller-manager", "controllerManager", "controller-manager", below);
    component(view, "kube-scheduler", "scheduler", "scheduler", below);
    for (JsonNode shard : view.shards()) {
      below.add(object("StoreShard", shard, pods(view.store(PlaneView.name(shard)))));
    }
    for (JsonNode pool : view.schedulerPools()) {
      below.add(object("SchedulerPool", pool, pods(view.pool(PlaneView.name(pool)))));
    }
    for (JsonNode pool : view.nodePools()) {
      below.add(nodePool(pool));
    }
    view.tasks().stream().filter(ObjectTree::isOpen).map(ObjectTree::task).forEach(below::add);
    return object("ControlPlane", plane, below);
  }

  private static void component(
      PlaneView view, String title, String field, String label, List<ObjectTree> below) {
    JsonNode status = view.plane().path("status").path(field);
    List<ObjectTree> pods = pods(view.component(label));
    if (status.isObject() && status.path("replicas").asInt() > 0 || !pods.isEmpty()) {
      String summary = status.path("summary").asText();
      below.add(
          new ObjectTree(
              "Component", title, summary.isEmpty() ? "" : summary + " ready", "", pods));
    }
  }

  private static List<ObjectTree> pods(Stream<JsonNode> pods) {
    return pods.map(ObjectTree::pod).toList();
  }

  private static ObjectTree pod(JsonNode pod) {
    PodState state = PodState.of(pod);
    String restarts =
        state.restarts() == 0
            ? ""
            : state.restarts() == 1 ? "1 restart" : state.restarts() + " restarts";
    String words =
        Stream.of(restarts, state.words())
            .filter(any -> !any.isEmpty())
            .reduce((a, b) -> a + ", " + b)
            .orElse("");
    return new ObjectTree("Pod", PlaneView.name(pod), state.state(), words, List.of());
  }

  private static ObjectTree object(String kind, JsonNode object, List<ObjectTree> below) {
    Condition ready = Condition.of(object, "Ready").orElse(null);
    boolean leaving = !object.at("/metadata/deletionTimestamp").isMissingNode();
    String state =
        leaving
            ? "Deleting"
            : ready == null
                ? "not seen by the operator"
                : ready.isGood()
                    ? "Ready"
                    : ready.status().equals("False") ? "not ready" : "unknown";
    String words = ready == null || ready.isGood() ? "" : ready.reason() + ": " + ready.message();
    return new ObjectTree(kind, PlaneView.name(object), state, words, below);
  }

  private static ObjectTree nodePool(JsonNode pool) {
    ObjectTree tree = object("NodePool", pool, List.of());
    String summary = pool.at("/status/nodes/summary").asText();
    return summary.isEmpty()
        ? tree
        : new ObjectTree(
            tree.kind, tree.name, tree.state + ", " + summary + " nodes", tree.words, List.of());
  }

  /** Whether a task is worth a line: one that succeeded is not. */
  private static boolean isOpen(JsonNode task) {
    return !task.at("/status/state").asText().equals("Succeeded");
  }

  private static ObjectTree task(JsonNode task) {
    String state = task.at("/status/state").asText("Pending");
    return new ObjectTree(
        "ControlPlaneTask",
        PlaneView.name(task),
        state,
        "%s %s"
            .formatted(task.at("/status/task").asText(), task.at("/status/message").asText())
            .strip(),
        List.of());
  }

  /** The lines of a drawing, from the top. */
  public List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    draw("", "", rows);
    return rows;
  }

  private void draw(String first, String others, List<Row> rows) {
    String title = kind.equals("Component") ? name : kind + "/" + name;
    rows.add(new Row(first + title, state, shortened(words)));
    for (int i = 0; i < children.size(); i++) {
      boolean last = i == children.size() - 1;
      children.get(i).draw(others + (last ? "└─ " : "├─ "), others + (last ? "   " : "│  "), rows);
    }
  }

  private static String shortened(String words) {
    String line = words.replaceAll("\\s+", " ");
    return line.length() <= MOST_WORDS ? line : line.substring(0, MOST_WORDS - 2) + " …";
  }
}
