// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.inventory.Inventory;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.Discovery;
import io.exaplane.apply.port.Failure;
import io.exaplane.apply.port.ListPage;
import io.exaplane.apply.port.Observed;
import io.exaplane.apply.port.ServerLoad;
import io.exaplane.apply.port.WatchEvent;
import java.util.List;

/** What the engine is told. Each is immutable; answers name the request by its number. */
public sealed interface Event {
  /**
   * What a source wants from now on.
   *
   * @param set name of the source, and of its inventory
   * @param manifests all its objects
   * @param complete whether these are all: nothing is pruned while a file could not be read
   */
  record Desired(ApplySet set, List<Manifest> manifests, boolean complete) implements Event {
    public Desired {
      manifests = List.copyOf(manifests);
    }
  }

  /**
   * A source is nobody's concern from now on: its objects and its inventory stay as they are.
   *
   * @param set name of the source
   */
  record Released(ApplySet set) implements Event {}

  /** Time went on. */
  record Tick() implements Event {}

  /**
   * Answer to {@link Action.Discover}.
   *
   * @param discovery what the server serves
   */
  record Discovered(Discovery discovery) implements Event {}

  /**
   * Answer to {@link Action.Discover}.
   *
   * @param failure why there is none
   */
  record NotDiscovered(Failure failure) implements Event {}

  /**
   * Answer to {@link Action.Load}.
   *
   * @param source index
   * @param inventory what was kept
   */
  record Loaded(int source, Inventory inventory) implements Event {}

  /**
   * Answer to {@link Action.Load}.
   *
   * @param source index
   * @param failure why it could not be read
   */
  record NotLoaded(int source, Failure failure) implements Event {}

  /**
   * Answer to {@link Action.Save}.
   *
   * @param source index
   * @param failure why it could not be written; null when it was
   */
  record Saved(int source, Failure failure) implements Event {}

  /**
   * Answer to {@link Action.Page}.
   *
   * @param groupKind the kind
   * @param number of the list
   * @param page the page
   */
  record Listed(String groupKind, int number, ListPage page) implements Event {}

  /**
   * Answer to {@link Action.Page}.
   *
   * @param groupKind the kind
   * @param number of the list
   * @param failure why there is no page
   */
  record NotListed(String groupKind, int number, Failure failure) implements Event {}

  /**
   * From {@link Action.Watch}.
   *
   * @param groupKind the kind
   * @param number of the watch
   * @param event what happened
   */
  record Watched(String groupKind, int number, WatchEvent event) implements Event {}

  /**
   * The end of {@link Action.Watch}.
   *
   * @param groupKind the kind
   * @param number of the watch
   * @param failure why; null when the server just closed it
   */
  record WatchEnded(String groupKind, int number, Failure failure) implements Event {}

  /**
   * Answer to {@link Action.Apply}.
   *
   * @param key the object
   * @param ticket number of the request
   * @param object the object after it
   * @param latencyMs how long it took
   */
  record Applied(ObjectKey key, long ticket, Observed object, long latencyMs) implements Event {}

  /**
   * Answer to {@link Action.Apply}.
   *
   * @param key the object
   * @param ticket number of the request
   * @param failure why it was not applied, or that nobody knows
   */
  record NotApplied(ObjectKey key, long ticket, Failure failure) implements Event {}

  /**
   * Answer to {@link Action.Look}.
   *
   * @param load how busy it is
   * @param latencyMs how long the answer took
   */
  record Looked(ServerLoad load, long latencyMs) implements Event {}

  /**
   * Answer to {@link Action.Look}.
   *
   * @param failure why it did not say
   */
  record NotLooked(Failure failure) implements Event {}

  /**
   * Answer to {@link Action.Delete}.
   *
   * @param key the object
   * @param ticket number of the request
   * @param failure why it was not deleted; null when it was
   */
  record Deleted(ObjectKey key, long ticket, Failure failure) implements Event {}
}
