// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.pace.NewDefinitions;
import io.exaplane.apply.port.ApiException;
import io.exaplane.apply.port.ApiPort;
import io.exaplane.apply.port.ServerLoad;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.DefinitionCost;
import io.exaplane.tuning.model.DefinitionRoom;
import java.util.List;
import java.util.Optional;

/**
 * Whether a kube-apiserver has memory for the definitions that a source would add. Immutable.
 *
 * @param cost of those that the server does not serve yet
 * @param load of the server now
 */
record DefinitionCheck(DefinitionCost cost, ServerLoad load) {
  /** The definitions among objects, as JSON. */
  static List<JsonNode> definitions(List<Manifest> manifests) {
    return NewDefinitions.among(manifests);
  }

  static String kind(JsonNode definition) {
    return NewDefinitions.kind(definition);
  }

  /**
   * Asks a server; it is not asked about a few.
   *
   * @return empty where there are no more new ones than may go at once
   */
  static Optional<DefinitionCheck> of(ApiPort api, List<Manifest> manifests)
      throws ApiException, InterruptedException {
    return NewDefinitions.of(api, api::load, manifests)
        .map(added -> new DefinitionCheck(DefinitionCost.of(added.documents()), added.load()));
  }

  private DefinitionRoom room() {
    return new DefinitionRoom(cost, load.liveBytes(), load.limitBytes());
  }

  /** Whether they surely do not fit. */
  boolean tooMany() {
    return room().tooMany();
  }

  /** What is to be said, with the next action. */
  String words() {
    DefinitionRoom room = room();
    if (!room.isKnown()) {
      return room.need()
          + "; whether that fits is unknown, since the server's /metrics shows no GOMEMLIMIT or"
          + " cannot be read. Set GOMEMLIMIT, or compare with its memory limit";
    }
    return tooMany()
        ? room.needAndRoom()
            + ": they do not fit. Give kube-apiserver a memory limit of "
            + Bytes.text(room.wantedLimitBytes())
            + ", or leave kinds out with --include or --exclude"
        : room.needAndRoom() + ": they fit";
  }
}
