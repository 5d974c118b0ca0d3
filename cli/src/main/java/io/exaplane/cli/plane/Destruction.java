// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The deletion of a control plane in the order of docs/uninstall.md: tasks and pools first, since
 * their removal needs the hosted API. Used by one thread.
 */
public final class Destruction {
  private static final List<Kind> FIRST = List.of(Kind.TASK, Kind.NODE_POOL, Kind.SCHEDULER_POOL);
  private static final String ALLOW = "exaplane.io/allow-deletion";

  private final Management management;
  private final String in;
  private final JsonNode plane;
  private final String name;
  private final Map<Kind, List<String>> dependents;

  private Destruction(
      Management management, String in, JsonNode plane, Map<Kind, List<String>> dependents) {
    this.management = management;
    this.in = in;
    this.plane = plane;
    this.name = PlaneView.name(plane);
    this.dependents = dependents;
  }

  /** Reads what depends on a control plane. */
  public static Destruction of(Management management, String in, JsonNode plane) {
    Map<Kind, List<String>> dependents = new LinkedHashMap<>();
    for (Kind kind : FIRST) {
      dependents.put(kind, names(management, in, kind, PlaneView.name(plane)));
    }
    return new Destruction(management, in, plane, dependents);
  }

  private static List<String> names(Management management, String in, Kind kind, String plane) {
    return PlaneView.of(plane, management.list(kind, in, null)).stream()
        .map(PlaneView::name)
        .toList();
  }

  /** Whether the data of the stores is deleted, too. */
  public boolean deletesData() {
    return plane.at("/spec/storage/deletion").asText("Retain").equals("Delete");
  }

  /** What is deleted and what stays, for the person who is asked. */
  public List<String> plan() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "This deletes ControlPlane %s in namespace %s: version %s, %s nodes."
            .formatted(
                name,
                in,
                plane.at("/spec/version").asText(),
                plane.at("/status/nodes/registered").asText("an unknown number of")));
    dependents.forEach(
        (kind, names) ->
            names.forEach(each -> lines.add("Also deleted: " + kind.title() + " " + each)));
    lines.add(
        deletesData()
            ? "Also deleted: the data of all stores, since spec.storage.deletion is Delete."
            : "Kept: " + kept());
    lines.add("Kept: hosts. Their pods run on; run 'join.sh --undo' on each host.");
    return lines;
  }

  /** What stays of the control plane's data, and how to delete it. */
  public String kept() {
    return deletesData()
        ? "nothing of the data"
        : "the claims of the stores, the CAs and the service-account key. A new ControlPlane with the same name takes them over; docs/uninstall.md says how to delete them.";
  }

  /**
   * Deletes, and waits until all is gone.
   *
   * @param told each step, when it is done
   * @return all steps
   * @throws PlaneException if something is left after this time
   */
  public List<String> carryOut(Duration patience, Consumer<String> told)
      throws InterruptedException {
    List<String> done = new ArrayList<>();
    long deadline = System.nanoTime() + patience.toNanos();
    for (Map.Entry<Kind, List<String>> each : dependents.entrySet()) {
      Kind kind = each.getKey();
      for (String dependent : each.getValue()) {
        management.delete(kind, in, dependent);
      }
      if (!each.getValue().isEmpty()) {
        await(deadline, kind, each.getValue());
        each.getValue().forEach(one -> tell("deleted " + kind.title() + " " + one, done, told));
      }
    }
    if (!name.equals(plane.path("metadata").path("annotations").path(ALLOW).asText())) {
      management.patch(Kind.CONTROL_PLANE, in, name, allowed());
    }
    management.delete(Kind.CONTROL_PLANE, in, name);
    Optional<JsonNode> left = management.find(Kind.CONTROL_PLANE, in, name);
    while (left.isPresent()) {
      pause(deadline, "ControlPlane " + name, message(left.get()));
      left = management.find(Kind.CONTROL_PLANE, in, name);
    }
    tell("deleted ControlPlane " + name, done, told);
    return done;
  }

  private static void tell(String step, List<String> done, Consumer<String> told) {
    done.add(step);
    told.accept(step);
  }

  private ObjectNode allowed() {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").putObject("annotations").put(ALLOW, name);
    return patch;
  }

  /** Others may have made a new one meanwhile, which is not waited for. */
  private void await(long deadline, Kind kind, List<String> deleted) throws InterruptedException {
    List<String> left = left(kind, deleted);
    while (!left.isEmpty()) {
      pause(deadline, kind.title() + " " + String.join(", ", left), "");
      left = left(kind, deleted);
    }
  }

  private List<String> left(Kind kind, List<String> deleted) {
    return names(management, in, kind, name).stream().filter(deleted::contains).toList();
  }

  private static String message(JsonNode plane) {
    return Condition.of(plane, "Deleting").map(Condition::message).orElse("");
  }

  private void pause(long deadline, String what, String message) throws InterruptedException {
    if (System.nanoTime() > deadline) {
      throw new PlaneException(
          "%s is still being deleted%s; check that the operator runs, and see 'status %s'"
              .formatted(what, message.isEmpty() ? "" : " (" + message + ")", name));
    }
    TimeUnit.SECONDS.sleep(1);
  }
}
