// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.tuning.model.InvalidInputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A move of resources to another store, as a person is asked about it. Pure. The operator has the
 * rules; here are those that a person sees at once.
 */
public final class Reshard {
  private static final String DEFAULT_STORE = "default";
  private static final List<String> ENDED = List.of("Succeeded", "Failed", "Rejected");

  private final JsonNode plane;
  private final String toStore;
  private final List<Resource> resources;

  /** A store of the control plane. Immutable. */
  public record Store(String name, String criticality, boolean ready, List<Resource> resources) {}

  /**
   * A move.
   *
   * @throws InvalidInputException if the store does not exist, or has a resource already
   */
  public Reshard(JsonNode plane, String toStore, List<Resource> resources) {
    this.plane = plane;
    this.toStore = toStore;
    this.resources = List.copyOf(resources);
    List<String> names = stores(plane).stream().map(Store::name).toList();
    if (!names.contains(toStore)) {
      throw new InvalidInputException(
          "to",
          toStore,
          "must be a store of ControlPlane " + PlaneView.name(plane),
          "choose from " + String.join(", ", names) + ", or add a store to spec.storage.stores");
    }
    for (Resource resource : resources) {
      if (from(resource).equals(toStore)) {
        throw new InvalidInputException(
            "resources",
            resource.toString(),
            "is in the store " + toStore + " already",
            "remove the resource, or choose another store");
      }
    }
  }

  /**
   * The stores, as the status tells of them.
   *
   * @throws PlaneException if the status tells of none
   */
  public static List<Store> stores(JsonNode plane) {
    List<Store> stores = new ArrayList<>();
    for (JsonNode each : plane.at("/status/stores/items")) {
      stores.add(
          new Store(
              each.path("name").asText(),
              each.path("criticality").asText("Critical"),
              each.path("ready").asBoolean(),
              resources(each.path("resources"))));
    }
    if (stores.isEmpty()) {
      throw new PlaneException(
          "the status of ControlPlane %s has no stores yet; wait until its condition StoresReady is True, and repeat the command"
              .formatted(PlaneView.name(plane)));
    }
    return stores;
  }

  private static List<Resource> resources(JsonNode references) {
    List<Resource> found = new ArrayList<>();
    references.forEach(
        each ->
            found.add(new Resource(each.path("group").asText(), each.path("resource").asText())));
    return found;
  }

  private String from(Resource resource) {
    return stores(plane).stream()
        .filter(store -> store.resources().contains(resource))
        .map(Store::name)
        .findFirst()
        .orElse(DEFAULT_STORE);
  }

  /**
   * What happens, for the person who is asked.
   *
   * @param tasks of the control plane
   */
  public List<String> plan(List<JsonNode> tasks) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "This moves resources of ControlPlane %s in namespace %s, one after the other:"
            .formatted(PlaneView.name(plane), plane.at("/metadata/namespace").asText()));
    for (Resource resource : resources) {
      lines.add("  %s: from store %s to store %s".formatted(resource, from(resource), toStore));
    }
    lines.add(
        hasServices()
            ? "No kube-apiserver is replaced, since each of these resources has a Service."
            : "First, kube-apiservers are replaced one by one, under spec.rollout.");
    lines.add(
        "At its switch, writes of a resource wait. Afterwards, clients list the resource again.");
    tasks.stream()
        .filter(task -> !isEnded(task))
        .map(PlaneView::name)
        .forEach(
            name ->
                lines.add(
                    "ControlPlaneTask %s is not done: the move may wait for it.".formatted(name)));
    return lines;
  }

  /** Whether kube-apiservers reach all of the resources by Services that an earlier move made. */
  private boolean hasServices() {
    List<Resource> routed = new ArrayList<>();
    plane.at("/status/routes").forEach(each -> routed.add(resource(each.path("resource"))));
    return routed.containsAll(resources);
  }

  private static Resource resource(JsonNode reference) {
    return new Resource(reference.path("group").asText(), reference.path("resource").asText());
  }

  /** The task that does it, without a name. */
  public ObjectNode task() {
    ObjectNode task = JsonNodeFactory.instance.objectNode();
    task.put("apiVersion", "exaplane.io/v1alpha1").put("kind", Kind.TASK.title());
    task.putObject("metadata").put("generateName", "reshard-");
    ObjectNode spec = task.putObject("spec");
    spec.putObject("controlPlaneRef").put("name", PlaneView.name(plane));
    ObjectNode reshard = spec.putObject("reshard").put("toStore", toStore);
    ArrayNode moved = reshard.putArray("resources");
    resources.forEach(
        each -> moved.addObject().put("group", each.group()).put("resource", each.resource()));
    return task;
  }

  /** Whether a task does nothing more. */
  static boolean isEnded(JsonNode task) {
    return ENDED.contains(task.at("/status/state").asText());
  }

  /** How far a task is, in a line: "Running, CopyKeys, 40 %: words". */
  public static String line(JsonNode task) {
    JsonNode status = task.path("status");
    String step = status.path("step").asText();
    Optional<String> percent =
        Optional.of(status.path("progressPercent"))
            .filter(JsonNode::isNumber)
            .map(number -> ", " + number.asText() + " %");
    String message = status.path("message").asText();
    return status.path("state").asText("Pending")
        + (step.isEmpty() || isEnded(task) ? "" : ", " + step)
        + percent.filter(any -> !isEnded(task)).orElse("")
        + (message.isEmpty() ? "" : ": " + message);
  }
}
