// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import io.exaplane.apply.entry.Entry;
import io.exaplane.apply.entry.Outcome;
import io.exaplane.apply.inventory.ApplySet;
import java.util.ArrayList;
import java.util.List;

/**
 * The engine: told what happened, it says what to do. It has no thread, no clock, no connection: a
 * {@link Runner} or a simulation gives it these. Single writer: calls must not overlap.
 */
public final class Engine {
  private final State state;
  private final Kinds kinds;
  private final Lists lists;
  private final Definitions definitions;
  private final Applies applies;
  private final Prunes prunes;
  private final Sources sources;
  private final Saves saves;

  /**
   * Of options.
   *
   * @param options how to work
   */
  public Engine(Options options) {
    state = new State(options);
    lists = new Lists(state);
    kinds = new Kinds(state, lists);
    definitions = new Definitions(state, lists);
    applies = new Applies(state, kinds, lists, definitions);
    prunes = new Prunes(state, kinds, lists);
    sources = new Sources(state, kinds, applies);
    saves = new Saves(state);
    lists.whenMissing(kinds::askSoon);
    lists.whenDefinitionChanges(kinds::definitionChanged);
    kinds.whenChanged(sources::kindsChanged);
    applies.refusals().whenSettled(applies::settle);
    applies.refusals().whenOverloaded(definitions::overloaded);
    definitions.whenSettled(applies::settle);
  }

  /**
   * Takes in what happened.
   *
   * @param event what happened
   * @param nowMs the clock, in milliseconds, greater than zero; never less than before
   * @return what to do, in order
   */
  public List<Action> on(Event event, long nowMs) {
    state.now = nowMs;
    state.out = new ArrayList<>();
    state.pokeMs = Long.MAX_VALUE;
    switch (event) {
      case Event.Desired one -> sources.desired(one);
      case Event.Released one -> sources.released(one.set());
      case Event.Tick one -> {}
      case Event.Discovered one -> kinds.discovered(one.discovery());
      case Event.NotDiscovered one -> kinds.notDiscovered(one.failure());
      case Event.Loaded one -> sources.loaded(one);
      case Event.NotLoaded one -> sources.notLoaded(one);
      case Event.Saved one -> saves.saved(one);
      case Event.Listed one -> lists.listed(one);
      case Event.NotListed one -> lists.notListed(one);
      case Event.Watched one -> lists.watched(one);
      case Event.WatchEnded one -> lists.watchEnded(one);
      case Event.Applied one -> applies.applied(one);
      case Event.NotApplied one -> applies.refusals().failed(one);
      case Event.Deleted one -> prunes.deleted(one);
      case Event.Looked one -> definitions.looked(one);
      case Event.NotLooked one -> definitions.notLooked(one.failure());
    }
    pump();
    return state.out;
  }

  private void pump() {
    while (!state.timers.isEmpty() && state.timers.peek().atMs() <= state.now) {
      state.timers.poll().what().run();
    }
    definitions.release();
    while (!state.ready.isEmpty()) {
      Entry entry = state.ready.peek();
      if (!applies.decide(entry)) {
        if (state.pace.heldUntilMs() > state.now) {
          state.poke(state.pace.heldUntilMs());
        }
        break;
      }
      state.ready.poll();
      entry.queued = false;
    }
    definitions.hold();
    prunes.run();
    saves.run();
  }

  /**
   * When to call with {@link Event.Tick}, unless something else happens before.
   *
   * @return a time of the clock; {@link Long#MAX_VALUE} for never
   */
  public long nextWakeMs() {
    return Math.min(
        state.pokeMs, state.timers.isEmpty() ? Long.MAX_VALUE : state.timers.peek().atMs());
  }

  /**
   * Whether nothing of a source is left to do but to wait for changes or to try again what failed.
   *
   * @param set the source
   * @return true when everything was tried, pruned and saved, or when nothing can go on
   */
  public boolean idle(ApplySet set) {
    Source source = state.source(set);
    if (source == null || source.wanted == null) {
      return true;
    }
    if (!halted(source).isEmpty()) {
      return true;
    }
    return source.settled()
        && state.inFlight == 0
        && state.ready.isEmpty()
        && prunes.done(source)
        && !source.saving
        && !source.dirty()
        && source.savedKinds.containsAll(source.neededKinds);
  }

  /**
   * How a source stands.
   *
   * @param set the source
   * @return a copy; empty when the source is not known
   */
  public Summary summary(ApplySet set) {
    Source source = state.source(set);
    List<Summary.Item> items = new ArrayList<>();
    int[] counts = new int[Outcome.values().length];
    if (source == null) {
      return new Summary(
          set.name(), counts, items, List.of(), "", state.counters.copy(), Cost.NONE, 0);
    }
    for (Entry one : source.all()) {
      counts[one.outcome.ordinal()]++;
      items.add(
          new Summary.Item(
              one.key, one.manifest.source(), one.outcome, one.health, one.generation, one.words));
    }
    List<Notice> problems = new ArrayList<>(source.problems.values());
    if (source.wanted != null) {
      problems.addAll(lists.problems(source));
      problems.addAll(prunes.problems(source));
    }
    return new Summary(
        set.name(),
        counts,
        items,
        List.copyOf(problems),
        halted(source),
        state.counters.copy(),
        new Cost(source.requests, source.sentBytes),
        state.pace.window());
  }

  /**
   * Whether the server had an inventory of a source when the engine read or wrote that last.
   *
   * @param set the source
   * @return false when there was none, or when nobody knows yet
   */
  public boolean hasInventory(ApplySet set) {
    Source source = state.source(set);
    return source != null && source.loaded && source.found;
  }

  private String halted(Source source) {
    return !kinds.known() && kinds.failures() >= 3
        ? "discovery failed three times; check the address and the credentials"
        : source.halted;
  }
}
