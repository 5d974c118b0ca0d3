// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The chain from a condition to its cause: condition, object, pod, line of a log, next action.
 *
 * @param links from the condition that was asked about to the deepest cause that was found
 * @param next the next action, as the deepest condition names it
 * @param pages pages of the documentation about the deepest reason
 * @param gaps what the account may not read, in words
 */
public record Chain(
    List<Link> links, boolean good, String next, List<String> pages, List<String> gaps) {
  /** No chain of conditions is longer. */
  private static final int MOST = 6;

  private static final int TAIL = 200;

  /** Conditions of a control plane by those that they follow from, the deepest causes first. */
  private static final Map<String, List<String>> CAUSES =
      Map.of(
          "Available",
          List.of(
              "ConfigurationValid",
              "CertificatesValid",
              "StoreDataAvailable",
              "StoresReady",
              "EndpointReady",
              "APIServerAvailable",
              "ControllerManagerAvailable",
              "SchedulerAvailable",
              "ReconciliationActive"),
          "APIServerAvailable",
          List.of("CertificatesValid", "StoreDataAvailable", "StoresReady"),
          "ControllerManagerAvailable",
          List.of("APIServerAvailable"),
          "SchedulerAvailable",
          List.of("APIServerAvailable"),
          "KubeconfigReady",
          List.of("CertificatesValid", "EndpointReady"));

  private static final Map<String, String> COMPONENTS =
      Map.of(
          "APIServerAvailable", "apiserver",
          "ControllerManagerAvailable", "controller-manager",
          "SchedulerAvailable", "scheduler");

  /** Of a control plane's conditions about its stores, those of a store that decide. */
  private static final Map<String, String> STORES =
      Map.of(
          "StoresReady", "Ready",
          "StoreDataAvailable", "DataIntact",
          "StoresUpToDate", "UpToDate");

  /**
   * A step of the chain.
   *
   * @param step condition, pod or log
   * @param object as ControlPlane/demo
   */
  public record Link(String step, String object, String words) {}

  /** Reads the newest lines of a container. */
  @FunctionalInterface
  public interface Logs {
    String read(LogQuery query);
  }

  /**
   * Follows a condition to its cause.
   *
   * @param object the one whose condition it is, of the view
   * @param logs asked about one container at most
   */
  public static Chain of(PlaneView view, Kind kind, JsonNode object, Condition asked, Logs logs) {
    Walk walk = new Walk(view);
    Found deepest = walk.follow(new Found(kind, object, asked), 0);
    boolean good = asked.isGood();
    if (!good) {
      walk.pod(deepest, logs);
    }
    String words = deepest.condition.message();
    String next =
        good
            ? "No action is needed."
            : NextStep.isNothing(words) ? "No action is needed." : NextStep.of(words);
    return new Chain(
        walk.links,
        good,
        next,
        good ? List.of() : Pages.of(deepest.condition.reason()),
        Stream.concat(view.gaps().stream(), walk.gaps.stream()).distinct().toList());
  }

  /** Whether words name a pod; its name may be a part of another one's. */
  static boolean isNamed(String words, String pod) {
    return Pattern.compile("(?<![-a-z0-9.])" + Pattern.quote(pod) + "(?![-a-z0-9]|\\.[a-z0-9])")
        .matcher(words)
        .find();
  }

  private record Found(Kind kind, JsonNode object, Condition condition) {
    String title() {
      return kind.title() + "/" + PlaneView.name(object);
    }
  }

  /** One chain while it is made. */
  private static final class Walk {
    private final PlaneView view;
    private final List<Link> links = new ArrayList<>();
    private final List<String> gaps = new ArrayList<>();

    Walk(PlaneView view) {
      this.view = view;
    }

    /** Notes a condition and those below it; returns the deepest. */
    Found follow(Found from, int depth) {
      links.add(new Link("condition", from.title(), from.condition.words()));
      return from.condition.isGood() || depth == MOST
          ? from
          : cause(from).map(found -> follow(found, depth + 1)).orElse(from);
    }

    private Optional<Found> cause(Found from) {
      String type = from.condition.type();
      if (Condition.FOR_TOOLS.contains(type) || type.equals("Degraded")) {
        return repeated(from);
      }
      if (from.kind != Kind.CONTROL_PLANE) {
        return Optional.empty();
      }
      if (STORES.containsKey(type)) {
        return first(Kind.STORE_SHARD, STORES.get(type));
      }
      if (type.equals("SchedulerAvailable") && !view.schedulerPools().isEmpty()) {
        Optional<Found> pool = first(Kind.SCHEDULER_POOL, "Available");
        if (pool.isPresent()) {
          return pool;
        }
      }
      return CAUSES.getOrDefault(type, List.of()).stream()
          .flatMap(each -> Condition.of(from.object, each).stream())
          .filter(each -> !each.isGood())
          .findFirst()
          .map(each -> new Found(from.kind, from.object, each));
    }

    /** The condition whose reason another one repeats; otherwise the first one that is not good. */
    private Optional<Found> repeated(Found from) {
      List<Condition> others =
          Condition.of(from.object).stream()
              .filter(each -> !Condition.FOR_TOOLS.contains(each.type()))
              .filter(each -> !each.type().equals("Degraded") && !each.isGood())
              .toList();
      return others.stream()
          .filter(each -> each.reason().equals(from.condition.reason()))
          .findFirst()
          .or(() -> others.stream().findFirst())
          .map(each -> new Found(from.kind, from.object, each));
    }

    /** The first object of a kind whose condition is not good. */
    private Optional<Found> first(Kind kind, String type) {
      for (JsonNode object : view.all(kind)) {
        Optional<Condition> bad = Condition.of(object, type).filter(each -> !each.isGood());
        if (bad.isPresent()) {
          return Optional.of(new Found(kind, object, bad.get()));
        }
      }
      return Optional.empty();
    }

    /** Notes the pod that is worst off below a condition, and the line of its log that tells. */
    void pod(Found from, Logs logs) {
      Optional<JsonNode> worst =
          pods(from)
              .filter(pod -> !PodState.of(pod).ready() || PodState.of(pod).restarts() > 0)
              .min(
                  Comparator.<JsonNode, Boolean>comparing(pod -> PodState.of(pod).ready())
                      .thenComparing(pod -> -PodState.of(pod).restarts())
                      .thenComparing(PlaneView::name));
      if (worst.isEmpty()) {
        return;
      }
      String name = PlaneView.name(worst.get());
      PodState state = PodState.of(worst.get());
      String words =
          state.words().isEmpty()
              ? "the pod is %s, and restarted %d times".formatted(state.state(), state.restarts())
              : state.words();
      links.add(new Link("pod", "Pod/" + name, words));
      container(worst.get(), state).ifPresent(container -> log(name, container, state, logs));
    }

    private Stream<JsonNode> pods(Found from) {
      String name = PlaneView.name(from.object);
      String type = from.condition.type();
      return switch (from.kind) {
        case STORE_SHARD -> view.store(name);
        case SCHEDULER_POOL -> view.pool(name);
        case CONTROL_PLANE ->
            COMPONENTS.containsKey(type) ? view.component(COMPONENTS.get(type)) : rolling(from);
        default -> Stream.empty();
      };
    }

    /**
     * Of a rollout its component's pods; of other conditions about pods those that the words name.
     */
    private Stream<JsonNode> rolling(Found from) {
      String component = from.object.at("/status/rollout/component").asText();
      return from.condition.type().equals("Progressing") && !component.isEmpty()
          ? view.component(component.replaceFirst("^kube-", ""))
          : view.pods().stream()
              .filter(pod -> isNamed(from.condition.message(), PlaneView.name(pod)));
    }

    /** The container that decides, or the one that restarted most. */
    private static Optional<String> container(JsonNode pod, PodState state) {
      if (!state.container().isEmpty()) {
        return Optional.of(state.container());
      }
      return PodState.containers(pod).stream()
          .filter(each -> each.path("restartCount").asInt() > 0)
          .max(Comparator.comparing(each -> each.path("restartCount").asInt()))
          .map(each -> each.path("name").asText());
    }

    private void log(String pod, String container, PodState state, Logs logs) {
      boolean previous = state.previous() || state.ready();
      try {
        String text = logs.read(LogQuery.tail(pod, container, previous, TAIL));
        LogLines.telling(text)
            .ifPresent(line -> links.add(new Link("log", pod + " " + container, line)));
      } catch (RightMissing e) {
        gaps.add(e.gap());
      } catch (PlaneException e) {
        gaps.add("the log of container %s is not shown: %s".formatted(container, e.getMessage()));
      }
    }
  }
}
