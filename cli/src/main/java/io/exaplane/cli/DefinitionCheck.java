// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.pace.FallingHeap;
import io.exaplane.apply.pace.NewDefinitions;
import io.exaplane.apply.port.ApiException;
import io.exaplane.apply.port.ApiPort;
import io.exaplane.apply.port.ServerLoad;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.DefinitionCost;
import io.exaplane.tuning.model.DefinitionRoom;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Whether a kube-apiserver has memory for the definitions that a source would add. Immutable.
 *
 * @param cost of those that the server does not serve yet
 * @param load of the server now
 */
record DefinitionCheck(DefinitionCost cost, ServerLoad load) {
  /** What a check waits by. */
  interface Waiting {
    /** Of this machine. */
    Waiting SYSTEM =
        new Waiting() {
          @Override
          public long nowMs() {
            return System.nanoTime() / 1_000_000;
          }

          @Override
          public void pause(long millis) throws InterruptedException {
            Thread.sleep(millis);
          }
        };

    long nowMs();

    void pause(long millis) throws InterruptedException;
  }

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

  /**
   * Asks a server, and while they do not fit, again until its live heap no longer falls.
   *
   * @param told what the user reads when the check begins to wait
   * @return empty as in {@link #of(ApiPort, List)}; else the check with the most room
   */
  static Optional<DefinitionCheck> patient(
      ApiPort api, List<Manifest> manifests, Waiting waiting, Consumer<String> told)
      throws ApiException, InterruptedException {
    Optional<DefinitionCheck> best = of(api, manifests);
    if (best.isEmpty() || !best.get().tooMany() || best.get().room().neverFits()) {
      return best;
    }
    told.accept(best.get().waits());
    FallingHeap heap =
        new FallingHeap(best.get().load(), best.get().cost().definitions(), waiting.nowMs());
    while (best.isPresent() && best.get().tooMany() && heap.mayFall(waiting.nowMs())) {
      waiting.pause(FallingHeap.AGAIN_MS);
      try {
        Optional<DefinitionCheck> next = of(api, manifests);
        next.ifPresent(one -> heap.looked(one.load(), one.cost().definitions(), waiting.nowMs()));
        best = next.isPresent() && next.get().takes() >= best.get().takes() ? best : next;
      } catch (ApiException e) {
        // A busy server: the next look tells more.
        continue;
      }
    }
    return best;
  }

  /** Live heap with the definitions, bytes; what nobody knows is most. */
  private double takes() {
    return room().isKnown() ? room().expectedBytes() : Double.MAX_VALUE;
  }

  private String waits() {
    return "%s: they do not fit now. The live heap may fall when kube-apiserver collects garbage, so the command waits for at most %d minutes. To apply them at once, add --accept-memory"
        .formatted(room().needAndRoom(), FallingHeap.MOST_MS / 60_000);
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
