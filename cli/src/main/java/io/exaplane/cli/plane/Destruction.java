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
  private final Map<Kind, List<Dependent>> dependents;

  /** A task or a pool. */
  private record Dependent(String name, String uid) {
    static Dependent of(JsonNode object) {
      return new Dependent(PlaneView.name(object), Destruction.uid(object));
    }
  }

  private Destruction(
      Management management, String in, JsonNode plane, Map<Kind, List<Dependent>> dependents) {
    this.management = management;
    this.in = in;
    this.plane = plane;
    this.name = PlaneView.name(plane);
    this.dependents = dependents;
  }

  /** Reads what depends on a control plane. */
  public static Destruction of(Management management, String in, JsonNode plane) {
    Map<Kind, List<Dependent>> dependents = new LinkedHashMap<>();
    for (Kind kind : FIRST) {
      dependents.put(kind, read(management, in, kind, PlaneView.name(plane)));
    }
    return new Destruction(management, in, plane, dependents);
  }

  private static List<Dependent> read(Management management, String in, Kind kind, String plane) {
    return PlaneView.of(plane, management.list(kind, in, null)).stream()
        .map(Dependent::of)
        .toList();
  }

  private static String uid(JsonNode object) {
    return object.at("/metadata/uid").asText();
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
            names.forEach(each -> lines.add("Also deleted: " + kind.title() + " " + each.name())));
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
   * Deletes, and waits until all is gone. Before the first deletion, the server is asked about each
   * of them. If the ControlPlane got other contents after it was read, it stays.
   *
   * @param told each step, when it is done
   * @return all steps
   * @throws PlaneException if something is left after this time, if the server refuses a deletion,
   *     or if something changed that the plan does not tell
   */
  public List<String> carryOut(Duration patience, Consumer<String> told)
      throws InterruptedException {
    List<String> done = new ArrayList<>();
    long deadline = System.nanoTime() + patience.toNanos();
    agreed(of(management, in, management.get(Kind.CONTROL_PLANE, in, name)));
    boolean isAllowed =
        name.equals(plane.path("metadata").path("annotations").path(ALLOW).asText());
    if (!isAllowed) {
      management.patch(Kind.CONTROL_PLANE, in, name, allowing(name));
    }
    try {
      rehearse();
      delete(deadline, done, told);
    } catch (PlaneException e) {
      if (!isAllowed) {
        protectAgain(e);
      }
      throw e;
    }
    Optional<JsonNode> left = own();
    while (left.isPresent()) {
      pause(deadline, "ControlPlane " + name, message(left.get()));
      left = own();
    }
    tell("deleted ControlPlane " + name, done, told);
    return done;
  }

  /** Asks the server about each deletion. */
  private void rehearse() {
    dependents.forEach(
        (kind, each) -> each.forEach(one -> management.tryDelete(kind, in, one.name(), one.uid())));
    management.tryDelete(Kind.CONTROL_PLANE, in, name, uid(plane));
  }

  private void delete(long deadline, List<String> done, Consumer<String> told)
      throws InterruptedException {
    for (Map.Entry<Kind, List<Dependent>> each : dependents.entrySet()) {
      Kind kind = each.getKey();
      for (Dependent one : each.getValue()) {
        management.delete(kind, in, one.name(), one.uid());
      }
      await(deadline, kind, each.getValue());
      each.getValue()
          .forEach(one -> tell("deleted " + kind.title() + " " + one.name(), done, told));
    }
    management
        .find(Kind.CONTROL_PLANE, in, name)
        .ifPresent(found -> agreed(of(management, in, found)));
    management.delete(Kind.CONTROL_PLANE, in, name, uid(plane));
  }

  private Optional<JsonNode> own() {
    return management
        .find(Kind.CONTROL_PLANE, in, name)
        .filter(found -> uid(found).equals(uid(plane)));
  }

  /** Whoever was asked agreed to what was there then, not to what others made of it since. */
  private void agreed(Destruction now) {
    List<String> news = new ArrayList<>();
    if (!uid(now.plane).equals(uid(plane))) {
      news.add("ControlPlane " + name + " is another one of the same name");
    }
    if (now.deletesData() && !deletesData()) {
      news.add("spec.storage.deletion is Delete now");
    }
    now.dependents.forEach(
        (kind, each) ->
            each.stream()
                .filter(one -> !dependents.get(kind).contains(one))
                .forEach(one -> news.add(kind.title() + " " + one.name() + " is new")));
    if (!news.isEmpty()) {
      throw new PlaneException(
          "the ControlPlane was not deleted, since it changed after the question: %s; repeat the command, which shows the objects as they are now"
              .formatted(String.join(", ", news)));
    }
  }

  /** Takes the permission back, since the ControlPlane stays. */
  private void protectAgain(PlaneException why) {
    try {
      management.patch(Kind.CONTROL_PLANE, in, name, allowing(null));
    } catch (PlaneException e) {
      throw new PlaneException(
          "%s; remove the annotation %s of ControlPlane %s, too: %s"
              .formatted(why.getMessage(), ALLOW, name, e.getMessage()));
    }
  }

  private static void tell(String step, List<String> done, Consumer<String> told) {
    done.add(step);
    told.accept(step);
  }

  /**
   * A change of the ControlPlane that was read, and of no other one of its name.
   *
   * @param value null to take the permission back
   */
  private ObjectNode allowing(String value) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode metadata = patch.putObject("metadata").put("uid", uid(plane));
    metadata.putObject("annotations").put(ALLOW, value);
    return patch;
  }

  /** Others may have made a new one meanwhile, which is not waited for. */
  private void await(long deadline, Kind kind, List<Dependent> deleted)
      throws InterruptedException {
    List<String> left = deleted.isEmpty() ? List.of() : left(kind, deleted);
    while (!left.isEmpty()) {
      pause(deadline, kind.title() + " " + String.join(", ", left), "");
      left = left(kind, deleted);
    }
  }

  private List<String> left(Kind kind, List<Dependent> deleted) {
    return read(management, in, kind, name).stream()
        .filter(deleted::contains)
        .map(Dependent::name)
        .toList();
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
