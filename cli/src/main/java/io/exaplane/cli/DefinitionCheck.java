// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.pace.DefinitionPace;
import io.exaplane.apply.port.ApiException;
import io.exaplane.apply.port.ApiPort;
import io.exaplane.apply.port.ResourceType;
import io.exaplane.apply.port.ServerLoad;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.DefinitionCost;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a kube-apiserver has memory for the definitions that a source would add. Immutable.
 *
 * @param cost of those that the server does not serve yet
 * @param load of the server now
 */
record DefinitionCheck(DefinitionCost cost, ServerLoad load) {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String DEFINITION = "CustomResourceDefinition.apiextensions.k8s.io";

  /** The definitions among objects, as JSON. */
  static List<JsonNode> definitions(List<Manifest> manifests) {
    return manifests.stream()
        .filter(one -> one.gvk().groupKind().equals(DEFINITION))
        .map(DefinitionCheck::parsed)
        .toList();
  }

  private static JsonNode parsed(Manifest manifest) {
    try {
      return JSON.readTree(manifest.body());
    } catch (IOException e) {
      throw new IllegalArgumentException(manifest + ": the body must be JSON", e);
    }
  }

  static String kind(JsonNode definition) {
    JsonNode spec = definition.path("spec");
    return spec.path("names").path("kind").asText() + "." + spec.path("group").asText();
  }

  /**
   * Asks a server; it is not asked about a few.
   *
   * @return empty where there are no more new ones than may go at once
   */
  static Optional<DefinitionCheck> of(ApiPort api, List<Manifest> manifests)
      throws ApiException, InterruptedException {
    List<JsonNode> all = definitions(manifests);
    if (all.size() <= DefinitionPace.START) {
      return Optional.empty();
    }
    Set<String> served = new HashSet<>();
    for (ResourceType one : api.discover().types().values()) {
      served.add(one.gvk().groupKind());
    }
    List<JsonNode> added = all.stream().filter(one -> !served.contains(kind(one))).toList();
    return added.size() <= DefinitionPace.START
        ? Optional.empty()
        : Optional.of(new DefinitionCheck(DefinitionCost.of(added), load(api)));
  }

  private static ServerLoad load(ApiPort api) throws InterruptedException {
    try {
      return api.load();
    } catch (ApiException e) {
      // The account may not read metrics: then nobody knows, and the words say so.
      return ServerLoad.UNKNOWN;
    }
  }

  /** Whether they surely do not fit. */
  boolean tooMany() {
    return load.knowsMemory()
        && load.liveBytes() + cost.liveBytes() > DefinitionCost.roomyHeap(load.limitBytes());
  }

  /** What is to be said, with the next action. */
  String words() {
    String need =
        "%d new definitions take about %s of each kube-apiserver's live heap"
            .formatted(cost.definitions(), Bytes.text(cost.liveBytes()));
    if (!load.knowsMemory()) {
      return need
          + "; whether that fits is unknown, since the server's /metrics shows no GOMEMLIMIT or"
          + " cannot be read. Set GOMEMLIMIT, or compare with its memory limit";
    }
    String room =
        ", which is %s of at most %s (GOMEMLIMIT is %s)"
            .formatted(
                Bytes.text(load.liveBytes()),
                Bytes.text(DefinitionCost.roomyHeap(load.limitBytes())),
                Bytes.text(load.limitBytes()));
    return tooMany()
        ? need
            + room
            + ": they do not fit. Give kube-apiserver a memory limit of "
            + Bytes.text(cost.limitBytes(load.liveBytes()))
            + ", or leave kinds out with --include or --exclude"
        : need + room + ": they fit";
  }
}
