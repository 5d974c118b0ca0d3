// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import io.exaplane.apply.entry.HealthRules;
import io.exaplane.apply.manifest.Gvk;
import io.exaplane.apply.port.Content;
import io.exaplane.apply.port.ResourceType;

/** One kind of objects, its list and its watch. Single writer. */
final class Kind {
  final String groupKind;

  /** The version to list and watch; null until a manifest or discovery names one. */
  Gvk gvk;

  /** How the server serves it; null while it does not. */
  ResourceType type;

  /** Whether something in it must become healthy, so that metadata is not enough. */
  boolean full;

  /** Why its objects can't be listed; empty when they can. */
  String refused = "";

  /** Why changes of its objects are not seen any more; empty when they are. */
  String unseen = "";

  /** Whether drift or health of its objects must be seen when it happens. */
  boolean followed;

  /** Number of the newest list or watch; answers to older ones count no more. */
  int number;

  /** Number of the newest list: what it shows carries the number. */
  int list;

  boolean listing;
  boolean listQueued;
  boolean watching;

  /** Whether a list was read to its end since the kind was served. */
  boolean synced;

  /** Version of the list under way; 0 before its first page. */
  long listVersion;

  /** Where a watch goes on. */
  long version;

  /** The newest version of an object of the kind that any answer told of. */
  long highest;

  /** Objects a page, at most: fewer once a page was too large. */
  int pageSize = Integer.MAX_VALUE;

  /** Whether an object with a label of some set was left out, since there are too many. */
  boolean crowded;

  /** Whether one with a label of ours was. */
  boolean hidden;

  int failures;

  /** No request for its objects before this time, in ms. */
  long heldUntilMs;

  /** {@link #highest} when the list under way was asked for. */
  long floor;

  Kind(String groupKind) {
    this.groupKind = groupKind;
    full = HealthRules.needsStatus(groupKind);
  }

  Content content() {
    return full ? Content.FULL : Content.METADATA;
  }

  /** What was under way counts no more. */
  void reset() {
    number++;
    listing = false;
    watching = false;
    synced = false;
    unseen = "";
  }
}
