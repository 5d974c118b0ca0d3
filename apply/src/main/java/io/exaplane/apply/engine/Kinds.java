// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import io.exaplane.apply.manifest.Gvk;
import io.exaplane.apply.port.Discovery;
import io.exaplane.apply.port.Failure;
import io.exaplane.apply.port.ResourceType;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the server serves, asked by one document and never twice at once: at the start, when a
 * definition became established, and when an answer says that a kind is unknown. Single writer.
 */
final class Kinds {
  /** Definitions become established in bursts; one answer serves them all. */
  private static final long SOON_MS = 250;

  private final State state;
  private final Lists lists;
  private Runnable changed = () -> {};
  private Discovery discovery;
  private Map<String, ResourceType> byGroupKind = Map.of();
  private boolean asking;
  private boolean askAgain;
  private boolean scheduled;
  private long scheduledMs;
  private int failures;

  Kinds(State state, Lists lists) {
    this.state = state;
    this.lists = lists;
  }

  /** What to do when the answer changed what can be applied. */
  void whenChanged(Runnable what) {
    changed = what;
  }

  boolean known() {
    return discovery != null;
  }

  int failures() {
    return failures;
  }

  /** The type of a kind in exactly this version; null when it is not served. */
  ResourceType type(Gvk gvk) {
    return discovery == null ? null : discovery.types().get(gvk);
  }

  /** The type of a kind in some version; null when it is not served. */
  ResourceType type(String groupKind) {
    return byGroupKind.get(groupKind);
  }

  /** Makes sure that the objects of a kind are listed, in this version if it is the first. */
  Kind need(String groupKind, Gvk gvk) {
    Kind kind = state.kinds.computeIfAbsent(groupKind, Kind::new);
    if (kind.gvk == null) {
      kind.gvk = gvk;
    }
    resolve(kind);
    return kind;
  }

  /** Lists a kind once more, if objects of it were left out. */
  void lookAgain(Kind kind) {
    if (kind.crowded && kind.type != null) {
      lists.again(kind);
    }
  }

  void ask() {
    if (asking) {
      askAgain = true;
      return;
    }
    asking = true;
    state.counters.discoveries++;
    state.out.add(new Action.Discover());
  }

  void askSoon() {
    askWithin(SOON_MS);
  }

  /** A definition changed: of interest only while a kind is missing. */
  void definitionChanged() {
    for (Kind one : state.kinds.values()) {
      if (one.type == null) {
        askSoon();
        return;
      }
    }
  }

  void askWithin(long ms) {
    long at = state.now + ms;
    if (scheduled && scheduledMs <= at) {
      return;
    }
    scheduled = true;
    scheduledMs = at;
    state.at(
        at,
        () -> {
          if (scheduled && scheduledMs == at) {
            scheduled = false;
            ask();
          }
        });
  }

  void discovered(Discovery answer) {
    asking = false;
    failures = 0;
    Map<Gvk, ResourceType> types = answer.types();
    if (discovery != null && !answer.staleGroups().isEmpty()) {
      types = new HashMap<>(types);
      for (ResourceType old : discovery.types().values()) {
        if (answer.staleGroups().contains(old.gvk().group())) {
          types.putIfAbsent(old.gvk(), old);
        }
      }
    }
    discovery = new Discovery(types, answer.staleGroups());
    Map<String, ResourceType> newest = new TreeMap<>();
    for (ResourceType one : types.values()) {
      newest.merge(one.gvk().groupKind(), one, (a, b) -> rank(a.gvk()) >= rank(b.gvk()) ? a : b);
    }
    byGroupKind = newest;
    state.kinds.values().forEach(this::resolve);
    changed.run();
    if (askAgain) {
      askAgain = false;
      askSoon();
    }
  }

  void notDiscovered(Failure failure) {
    asking = false;
    failures++;
    state.tell(
        Notice.Kind.UNREACHABLE,
        null,
        null,
        "discovery failed: "
            + failure.message()
            + "; check the address and the credentials if this persists for 1 minute");
    askWithin(Math.max(failure.retryAfterMs(), State.backOff(failures, 500, 30_000)));
  }

  /** Stable versions before beta, beta before alpha; the higher number first. */
  private static int rank(Gvk gvk) {
    String version = gvk.version();
    int stability = version.contains("alpha") ? 0 : version.contains("beta") ? 1 : 2;
    int major = 0;
    for (int at = 1; at < version.length() && Character.isDigit(version.charAt(at)); at++) {
      major = Math.min(1000, major * 10 + version.charAt(at) - '0');
    }
    return stability * 10_000 + major;
  }

  private void resolve(Kind kind) {
    if (discovery == null) {
      return;
    }
    ResourceType type = kind.gvk == null ? null : discovery.types().get(kind.gvk);
    if (type == null) {
      type = byGroupKind.get(kind.groupKind);
    }
    boolean served = kind.type != null;
    kind.type = type;
    if (type == null && served) {
      lists.lost(kind);
    } else if (type != null && !kind.synced && !kind.listing) {
      lists.start(kind);
    }
  }
}
