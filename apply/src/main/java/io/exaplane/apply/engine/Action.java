// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.inventory.InventorySave;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.Content;
import io.exaplane.apply.port.DeleteRequest;
import io.exaplane.apply.port.ResourceType;

/** What the engine wants done. Each is immutable, and answered by one {@link Event}. */
public sealed interface Action {
  /** Read what the server serves. */
  record Discover() implements Action {}

  /**
   * Read an inventory.
   *
   * @param source index
   * @param set where it is
   */
  record Load(int source, ApplySet set) implements Action {}

  /**
   * Write an inventory.
   *
   * @param source index
   * @param set where it is
   * @param save what to write
   */
  record Save(int source, ApplySet set, InventorySave save) implements Action {}

  /**
   * Read a page of a list.
   *
   * @param groupKind the kind
   * @param number of the list
   * @param type the kind as the server serves it
   * @param content how much of each object
   * @param limit objects, at most
   * @param next token of the page; empty for the first one
   */
  record Page(
      String groupKind, int number, ResourceType type, Content content, int limit, String next)
      implements Action {}

  /**
   * Watch a kind.
   *
   * @param groupKind the kind
   * @param number of the watch
   * @param type the kind as the server serves it
   * @param content how much of each object
   * @param resourceVersion where to begin
   */
  record Watch(
      String groupKind, int number, ResourceType type, Content content, long resourceVersion)
      implements Action {}

  /**
   * Apply an object, with the label of its set.
   *
   * @param ticket number of the request
   * @param type the kind as the server serves it
   * @param key the object
   * @param manifest what to apply
   * @param set to which it belongs
   * @param force whether to take fields that others own
   * @param content what the answer is to hold
   */
  record Apply(
      long ticket,
      ResourceType type,
      ObjectKey key,
      Manifest manifest,
      ApplySet set,
      boolean force,
      Content content)
      implements Action {}

  /**
   * Delete an object.
   *
   * @param ticket number of the request
   * @param request what, with preconditions
   */
  record Delete(long ticket, DeleteRequest request) implements Action {}

  /** Read how busy the server is. */
  record Look() implements Action {}

  /**
   * Tell the user. Needs no answer.
   *
   * @param notice what happened
   */
  record Tell(Notice notice) implements Action {}
}
