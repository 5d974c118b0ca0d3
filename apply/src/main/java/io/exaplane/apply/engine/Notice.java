// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;

/**
 * Something that users want to know when it happens. Immutable.
 *
 * @param kind what happened
 * @param source name of the source; empty when it concerns all
 * @param key the object; null when it concerns none alone
 * @param place file and line of the manifest; null when there is none
 * @param message the whole message, for people
 */
public record Notice(
    Kind kind, String source, ObjectKey key, Manifest.Source place, String message) {
  /** What happened. */
  public enum Kind {
    /** An object was applied. */
    APPLIED,
    /** An object was deleted, since its source no longer has it. */
    PRUNED,
    /** An object that a source no longer has was left. */
    KEPT,
    /** An object that others made was taken over; from then on it is pruned with the source. */
    ADOPTED,
    /** The server refused an object, or it can't be applied. */
    FAILED,
    /** Another manager puts back what we apply. */
    CONTESTED,
    /** Another manager owns fields, and we yielded. */
    YIELDED,
    /** An object belongs to another set. */
    TAKEN,
    /** The inventory could not be read or written. */
    INVENTORY,
    /** The server can't be read. */
    UNREACHABLE
  }
}
