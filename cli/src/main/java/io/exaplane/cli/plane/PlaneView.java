// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A control plane and its objects, as they were read. Immutable.
 *
 * @param nodePools of the control plane, by name; so are the others
 * @param gaps what the account may not read, in words
 */
public record PlaneView(
    JsonNode plane,
    List<JsonNode> shards,
    List<JsonNode> schedulerPools,
    List<JsonNode> nodePools,
    List<JsonNode> tasks,
    List<JsonNode> pods,
    List<String> gaps) {
  private static final String OWNER = "exaplane.io/control-plane";
  private static final String POOL = "exaplane.io/scheduler-pool";
  private static final String STORE = "exaplane.io/store-shard";

  /**
   * Reads a control plane, which must exist, and what the account may read of the rest.
   *
   * @param name null for the only one of the namespace
   */
  public static PlaneView read(Management management, String in, String name) {
    JsonNode plane =
        name == null ? only(management, in) : management.get(Kind.CONTROL_PLANE, in, name);
    return read(management, in, plane);
  }

  private static PlaneView read(Management management, String in, JsonNode plane) {
    String name = name(plane);
    List<String> gaps = new ArrayList<>();
    List<JsonNode> shards =
        allowed(gaps, () -> management.list(Kind.STORE_SHARD, in, OWNER + "=" + name));
    List<JsonNode> pools =
        of(name, allowed(gaps, () -> management.list(Kind.SCHEDULER_POOL, in, null)));
    List<JsonNode> nodes = of(name, allowed(gaps, () -> management.list(Kind.NODE_POOL, in, null)));
    List<JsonNode> tasks = of(name, allowed(gaps, () -> management.list(Kind.TASK, in, null)));
    List<JsonNode> pods =
        new ArrayList<>(allowed(gaps, () -> management.list(Kind.POD, in, OWNER + "=" + name)));
    for (JsonNode pool : pools) {
      pods.addAll(allowed(gaps, () -> management.list(Kind.POD, in, POOL + "=" + name(pool))));
    }
    return new PlaneView(
        plane,
        sorted(shards),
        pools,
        nodes,
        tasks,
        sorted(pods),
        gaps.stream().distinct().toList());
  }

  /** A store or a pool with its pods: what a question about it needs. */
  public static PlaneView around(Management management, String in, Kind kind, JsonNode object) {
    List<String> gaps = new ArrayList<>();
    String label = kind == Kind.STORE_SHARD ? STORE : kind == Kind.SCHEDULER_POOL ? POOL : null;
    List<JsonNode> pods =
        label == null
            ? List.of()
            : allowed(gaps, () -> management.list(Kind.POD, in, label + "=" + name(object)));
    return new PlaneView(
        object,
        kind == Kind.STORE_SHARD ? List.of(object) : List.of(),
        kind == Kind.SCHEDULER_POOL ? List.of(object) : List.of(),
        kind == Kind.NODE_POOL ? List.of(object) : List.of(),
        kind == Kind.TASK ? List.of(object) : List.of(),
        sorted(pods),
        gaps);
  }

  /**
   * The pods of a control plane, and those of its scheduler pools.
   *
   * @throws RightMissing if the account may not list them
   */
  public static List<JsonNode> pods(Management management, String in, String name) {
    List<JsonNode> pods = new ArrayList<>(management.list(Kind.POD, in, OWNER + "=" + name));
    for (JsonNode pool : of(name, pools(management, in))) {
      pods.addAll(management.list(Kind.POD, in, POOL + "=" + name(pool)));
    }
    return sorted(pods);
  }

  /** None where the installed operator has no scheduler pools. */
  private static List<JsonNode> pools(Management management, String in) {
    try {
      return management.list(Kind.SCHEDULER_POOL, in, null);
    } catch (KindUnknown e) {
      return List.of();
    }
  }

  /**
   * The only control plane of a namespace.
   *
   * @throws PlaneException if there are none or several
   */
  public static JsonNode only(Management management, String in) {
    List<JsonNode> all = management.list(Kind.CONTROL_PLANE, in, null);
    if (all.size() == 1) {
      return all.getFirst();
    }
    throw new PlaneException(
        all.isEmpty()
            ? "namespace %s has no ControlPlane; 'kubectl get cpl --all-namespaces' lists them, and --namespace names another namespace"
                .formatted(in)
            : "namespace %s has %d ControlPlanes; name one of: %s"
                .formatted(
                    in, all.size(), String.join(", ", all.stream().map(PlaneView::name).toList())));
  }

  /** Reads what the account may read, and notes what it may not. */
  public static List<JsonNode> allowed(List<String> gaps, Supplier<List<JsonNode>> question) {
    try {
      return question.get();
    } catch (RightMissing e) {
      gaps.add(e.gap());
    } catch (KindUnknown e) {
      gaps.add("not shown: " + e.getMessage());
    }
    return List.of();
  }

  /** Those that refer to a control plane. */
  public static List<JsonNode> of(String name, List<JsonNode> objects) {
    return sorted(
        objects.stream()
            .filter(each -> each.at("/spec/controlPlaneRef/name").asText().equals(name))
            .toList());
  }

  private static List<JsonNode> sorted(List<JsonNode> objects) {
    return objects.stream().sorted(Comparator.comparing(PlaneView::name)).toList();
  }

  public static String name(JsonNode object) {
    return object.at("/metadata/name").asText();
  }

  public static String label(JsonNode object, String label) {
    return object.path("metadata").path("labels").path(label).asText();
  }

  public String name() {
    return name(plane);
  }

  /** The same with another form of the control plane. */
  PlaneView with(JsonNode shown) {
    return new PlaneView(shown, shards, schedulerPools, nodePools, tasks, pods, gaps);
  }

  /** Pods of a component, as apiserver. */
  Stream<JsonNode> component(String component) {
    return pods.stream()
        .filter(pod -> label(pod, "app.kubernetes.io/component").equals(component))
        .filter(pod -> label(pod, POOL).isEmpty());
  }

  Stream<JsonNode> store(String shard) {
    return pods.stream().filter(pod -> label(pod, STORE).equals(shard));
  }

  Stream<JsonNode> pool(String pool) {
    return pods.stream().filter(pod -> label(pod, POOL).equals(pool));
  }

  /** The objects of a kind. */
  List<JsonNode> all(Kind kind) {
    return switch (kind) {
      case CONTROL_PLANE -> List.of(plane);
      case STORE_SHARD -> shards;
      case SCHEDULER_POOL -> schedulerPools;
      case NODE_POOL -> nodePools;
      case TASK -> tasks;
      case POD -> pods;
      default -> List.of();
    };
  }
}
