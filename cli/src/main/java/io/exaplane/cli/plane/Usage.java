// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the containers of a control plane use, and what its stores hold. Pure.
 *
 * @param stores as their StoreShards tell, at most five minutes old
 */
public record Usage(List<Container> containers, List<Store> stores) {
  /**
   * A container.
   *
   * @param millicores used; null if nobody measures
   * @param bytes used; null if nobody measures
   * @param limit of its memory, bytes; null without one
   */
  public record Container(
      String pod, String name, Long millicores, Long bytes, Long limit, int restarts) {
    /** Percent of the limit that is used; null where one of the two is unknown. */
    @JsonProperty
    public Long percent() {
      return bytes == null || limit == null || limit == 0 ? null : 100 * bytes / limit;
    }
  }

  /**
   * A store; null for what its StoreShard does not tell.
   *
   * @param bytes of all kept versions
   */
  public record Store(
      String name, Long keys, Long bytes, Long quota, Long revision, Long watchers) {}

  /**
   * Of pods and stores.
   *
   * @param metrics PodMetrics; empty if nobody measures
   */
  public static Usage of(List<JsonNode> pods, List<JsonNode> metrics, List<JsonNode> shards) {
    Map<String, JsonNode> measured = new HashMap<>();
    for (JsonNode pod : metrics) {
      for (JsonNode container : pod.path("containers")) {
        measured.put(
            PlaneView.name(pod) + "/" + container.path("name").asText(), container.path("usage"));
      }
    }
    List<Container> containers = new ArrayList<>();
    for (JsonNode pod : pods) {
      for (JsonNode container : pod.at("/spec/containers")) {
        String name = container.path("name").asText();
        JsonNode usage = measured.get(PlaneView.name(pod) + "/" + name);
        containers.add(
            new Container(
                PlaneView.name(pod),
                name,
                usage == null ? null : amount(usage.path("cpu").asText(), 1000),
                usage == null ? null : amount(usage.path("memory").asText(), 1),
                amount(container.at("/resources/limits/memory").asText(), 1),
                restarts(pod, name)));
      }
    }
    return new Usage(containers, shards.stream().map(Usage::store).toList());
  }

  private static Long amount(String quantity, int times) {
    return quantity.isEmpty()
        ? null
        : new Quantity(quantity)
            .getNumericalAmount()
            .multiply(BigDecimal.valueOf(times))
            .longValue();
  }

  private static int restarts(JsonNode pod, String container) {
    for (JsonNode each : pod.at("/status/containerStatuses")) {
      if (each.path("name").asText().equals(container)) {
        return each.path("restartCount").asInt();
      }
    }
    return 0;
  }

  private static Store store(JsonNode shard) {
    JsonNode status = shard.path("status");
    return new Store(
        PlaneView.name(shard),
        number(status, "keys"),
        number(status, "bytes"),
        number(status, "quota"),
        number(status, "revision"),
        number(status, "watchers"));
  }

  private static Long number(JsonNode status, String field) {
    return status.path(field).isNumber() ? status.path(field).asLong() : null;
  }
}
