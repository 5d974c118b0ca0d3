// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import io.exaplane.api.v1alpha1.AddonSpec;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.pace.FallingHeap;
import io.exaplane.apply.pace.NewDefinitions;
import io.exaplane.apply.port.ApiException;
import io.exaplane.apply.port.ServerLoad;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.DefinitionCost;
import io.exaplane.tuning.model.DefinitionRoom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Holds a source back whose new definitions do not fit into the memory of a kube-apiserver, by the
 * tuning model. {@code acceptMemory} in the spec allows them. A source with few new definitions,
 * and one of an API that tells nothing of its memory, is never held. Used by one thread.
 */
final class DefinitionHold {
  /** Between two looks while a source is held. */
  private static final Duration AGAIN = Duration.ofSeconds(30);

  /** A heap that differs by more than this part from what was said. */
  private static final double NEWS = 0.25;

  /** The revision that is held. */
  private String held = "";

  /** What the words are of. */
  private DefinitionRoom said;

  /** Of the revision that is held. */
  private FallingHeap heap;

  /** Never true again for a revision once it is false: the words must not change to and fro. */
  private boolean wasFalling;

  private Instant next = Instant.MIN;
  private String words = "";

  /** Whether two specs mean the same for the memory. */
  static boolean isSame(AddonSpec one, AddonSpec other) {
    return one.acceptsMemory() == other.acceptsMemory() && ChosenKinds.isSame(one, other);
  }

  /** Why the source is held back, for people; empty if nothing holds it. */
  String words() {
    return words;
  }

  /** Whether it is time for a look. */
  boolean isDue(String revision, Instant now) {
    return !revision.equals(held) || !now.isBefore(next);
  }

  /** The next look comes at once. */
  void reset() {
    held = "";
    next = Instant.MIN;
    words = "";
  }

  /** Looks, if the objects have many definitions; whether the source may be applied. */
  boolean permits(
      AddonSpec spec, String revision, List<Manifest> manifests, AddonEngine at, Instant now)
      throws InterruptedException {
    if (spec.acceptsMemory()) {
      reset();
      return true;
    }
    try {
      NewDefinitions added = at.added(manifests).orElse(null);
      DefinitionRoom room = added == null ? null : room(added);
      if (room == null || !room.tooMany()) {
        reset();
        return true;
      }
      boolean falls = falls(revision, room, added.load(), now);
      if (!revision.equals(held) || falls != wasFalling || isNews(room)) {
        said = room;
        words = words(room, falls);
      }
      wasFalling = falls;
      held = revision;
      next = now.plus(AGAIN);
      return false;
    } catch (ApiException e) {
      // The engine asks the same, several times, and has the words for an API that does not answer.
      reset();
      return true;
    }
  }

  private static DefinitionRoom room(NewDefinitions added) {
    return new DefinitionRoom(
        DefinitionCost.of(added.documents()), added.load().liveBytes(), added.load().limitBytes());
  }

  /** Whether nobody needs to act yet: the live heap may fall, and the definitions then fit. */
  private boolean falls(String revision, DefinitionRoom room, ServerLoad load, Instant now) {
    long millis = now.toEpochMilli();
    if (revision.equals(held)) {
      heap.looked(load, room.cost().definitions(), millis);
    } else {
      heap = new FallingHeap(load, room.cost().definitions(), millis);
      wasFalling = true;
    }
    return wasFalling && !room.neverFits() && heap.mayFall(millis);
  }

  /** Heaps breathe, and another kube-apiserver may answer: that alone writes no status. */
  private boolean isNews(DefinitionRoom room) {
    return !room.cost().equals(said.cost())
        || room.limitBytes() != said.limitBytes()
        || Math.abs(room.liveBytes() - said.liveBytes()) > NEWS * said.liveBytes();
  }

  private static String words(DefinitionRoom room, boolean falls) {
    if (falls) {
      return "%s: they do not fit now, and nothing new of the source is applied. The live heap may fall when kube-apiserver collects garbage. No action is needed for %d minutes: the operator checks again every %d seconds. To apply them now, set acceptMemory of the source to true."
          .formatted(room.needAndRoom(), FallingHeap.MOST_MS / 60_000, AGAIN.toSeconds());
    }
    return "%s: they do not fit, and nothing new of the source is applied. Give the kube-apiservers a memory limit of %s or more in spec.apiServer.resources, or raise customResourceDefinitions and definitionProperties of spec.sizing. Or leave kinds out with include or exclude. To apply them nevertheless, set acceptMemory of the source to true."
        .formatted(room.needAndRoom(), Bytes.text(room.wantedLimitBytes()));
  }
}
