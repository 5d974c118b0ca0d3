// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import io.exaplane.apply.entry.Entry;
import io.exaplane.apply.entry.Observe;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.order.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the server still has of a source that wants nothing any more: objects that finalizers hold,
 * and kinds that it does not serve just now. Single writer.
 */
final class Removals {
  /** A kind that a removal needs may be served again. */
  private static final long ASK_MS = 60_000;

  private final State state;
  private final Kinds kinds;

  Removals(State state, Kinds kinds) {
    this.state = state;
    this.kinds = kinds;
  }

  /** Looks, after each event, since when nothing of a source goes that wants nothing any more. */
  void follow(Source source) {
    int left = removes(source) ? (int) (unserved(source).count() + leaving(source).count()) : 0;
    if (left != source.left) {
      source.left = left;
      source.leftSinceMs = state.now;
    }
    if (left > 0 && unserved(source).findAny().isPresent()) {
      kinds.askWithin(ASK_MS);
    }
  }

  /** Whether a source is to have nothing, and the engine sees what becomes of its objects. */
  private boolean removes(Source source) {
    return state.options.prune()
        && state.options.follow()
        && source.settled()
        && source.loaded
        && source.wanted.complete()
        && source.wanted.manifests().isEmpty();
  }

  /** Kinds of the inventory that the server does not serve just now. */
  private Stream<Kind> unserved(Source source) {
    return source.savedKinds.stream()
        .map(state.kinds::get)
        .filter(kind -> kind != null && kind.type == null);
  }

  /** Objects that the server is deleting: finalizers may hold them. */
  private Stream<Entry> leaving(Source source) {
    return state.leaving.stream().filter(one -> state.owner(one.partOf) == source && !kept(one));
  }

  /** Why objects that a source no longer has may be there for longer. */
  List<Notice> problems(Source source) {
    List<Notice> all = new ArrayList<>();
    hidden(source).forEach(kind -> all.add(tooMany(source, kind)));
    if (source.left > 0 && state.now - source.leftSinceMs >= state.options.waitMs()) {
      unserved(source).forEach(kind -> all.add(unserved(source, kind)));
      leaving(source).forEach(one -> all.add(held(source, one)));
    }
    return all;
  }

  /** Whether an object with the label of a set stays, whatever the set has. */
  boolean kept(Entry entry) {
    boolean holdsOthers = Phase.of(State.groupKind(entry.key)).holdsOthers();
    return entry.seenFields == 0 || holdsOthers && !state.options.pruneContainers();
  }

  private Stream<Kind> hidden(Source source) {
    return !state.options.prune()
        ? Stream.empty()
        : source.savedKinds.stream()
            .map(state.kinds::get)
            .filter(kind -> kind != null && kind.hidden);
  }

  private static Notice tooMany(Source source, Kind kind) {
    return failed(
        source,
        null,
        "objects of kind "
            + kind.groupKind
            + " are left out: more than "
            + State.MOST_STRANGERS
            + " objects that no source names carry the label "
            + Observe.PART_OF
            + "; delete these labels, then change the source");
  }

  private static Notice unserved(Source source, Kind kind) {
    return failed(
        source,
        null,
        "objects of kind "
            + kind.groupKind
            + " may be left, since the server does not serve their kind; bring its API server or"
            + " its definition back, or end the source without pruning");
  }

  private static Notice held(Source source, Entry entry) {
    return failed(
        source,
        entry.key,
        entry.key
            + " was deleted, and finalizers hold it; let their owners work, or delete"
            + " the finalizers");
  }

  private static Notice failed(Source source, ObjectKey key, String words) {
    return new Notice(Notice.Kind.FAILED, source.set.name(), key, null, words);
  }
}
