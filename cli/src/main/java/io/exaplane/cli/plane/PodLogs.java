// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The logs of a control plane's pods. Pure but for the reads. */
public final class PodLogs {
  private PodLogs() {}

  /**
   * A container that has a log.
   *
   * @param restarted whether there is one of before the last restart
   */
  public record Source(String pod, String container, boolean restarted) {}

  /**
   * The containers of pods that wrote something: those that ran, and those of the start that did
   * not end well.
   *
   * @param component the value of a component's label, or store or pool; null for all
   */
  public static List<Source> of(List<JsonNode> pods, String component) {
    List<Source> sources = new ArrayList<>();
    for (JsonNode pod : pods) {
      if (component == null || isOf(pod, component)) {
        started(pod.at("/status/initContainerStatuses"))
            .filter(each -> each.at("/state/terminated/exitCode").asInt(1) != 0)
            .forEach(each -> sources.add(source(pod, each)));
        started(pod.at("/status/containerStatuses"))
            .forEach(each -> sources.add(source(pod, each)));
      }
    }
    return sources;
  }

  private static boolean isOf(JsonNode pod, String component) {
    return switch (component) {
      case "store" -> !PlaneView.label(pod, "exaplane.io/store-shard").isEmpty();
      case "pool" -> !PlaneView.label(pod, "exaplane.io/scheduler-pool").isEmpty();
      default ->
          PlaneView.label(pod, "app.kubernetes.io/component").equals(component)
              && PlaneView.label(pod, "exaplane.io/scheduler-pool").isEmpty();
    };
  }

  private static Stream<JsonNode> started(JsonNode statuses) {
    List<JsonNode> started = new ArrayList<>();
    for (JsonNode each : statuses) {
      boolean ran =
          each.at("/state/running").isObject()
              || each.at("/state/terminated").isObject()
              || each.at("/lastState/terminated").isObject();
      if (ran) {
        started.add(each);
      }
    }
    return started.stream();
  }

  private static Source source(JsonNode pod, JsonNode status) {
    return new Source(
        PlaneView.name(pod),
        status.path("name").asText(),
        status.at("/lastState/terminated").isObject());
  }
}
