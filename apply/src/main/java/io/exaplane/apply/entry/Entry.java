// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.entry;

import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.Health;
import io.exaplane.apply.port.Observed;

/**
 * What the engine remembers of one object: hashes and numbers, never the object. The engine's
 * single writer alone reads and writes it. About 500 bytes with key, uid and its place in tables,
 * as {@code FiguresTest} measures.
 */
public final class Entry {
  private static final Entry[] NONE = {};

  /** The object. */
  public final ObjectKey key;

  /** What is wanted; null when no source wants the object any more. */
  public Manifest manifest;

  /** Index of the source that wants it; -1 for none. */
  public int source = -1;

  /** Place in the source's order, from 0. */
  public int rank;

  /** Must exist first: its namespace, the definition of its kind. */
  public Entry[] needs = NONE;

  /** Must be applied and healthy first, since the manifest says so. */
  public Entry[] waitsFor = NONE;

  /** Those that need this object or wait for it. */
  public Entry[] dependents = NONE;

  /** Hash of the manifest that was applied last; 0 for none. Kept in the inventory. */
  public long appliedManifest;

  /** Hash of the fields that we owned right after that. Kept in the inventory. */
  public long ownedFields;

  /** Hash of their values right after that; 0 when only metadata was read. Kept. */
  public long ownedValues;

  /** Version of the object right after that. Kept. */
  public long appliedVersion;

  /** Index of the source that applied it last; -1 for none. Its inventory keeps the entry. */
  public int appliedSource = -1;

  /** Whether it exists. */
  public Presence presence = Presence.UNSEEN;

  /** {@code metadata.uid}; empty before it was seen. */
  public String uid = "";

  /** The newest version that any list, event or answer told of. */
  public long resourceVersion;

  /** {@code metadata.generation} at that version. */
  public long generation;

  /** Hash of the fields that we own at that version. */
  public long seenFields;

  /** Hash of their values at that version; 0 when only metadata was read. */
  public long seenValues;

  /** Hash of what all others own at that version. */
  public long seenOthers;

  /** Label of the set at that version. */
  public String partOf = "";

  /** Health at that version. */
  public Health health = Health.UNKNOWN;

  /** Health before anybody deleted it; unknown after a restart. */
  public Health lastHealth = Health.UNKNOWN;

  /** Number of the list that showed it last. */
  public int listed;

  /** Number of the request under way; 0 for none. */
  public long ticket;

  /** Hash of the manifest that the apply under way carries. */
  public long sentManifest;

  /** Why that apply was sent. */
  public Cause sentCause;

  /** Index of the source whose set that apply names. */
  public int sentSource = -1;

  /** The version that was known when that apply was sent; 0 for no object. */
  public long sentVersion;

  /** When the last apply was answered, in ms; 0 for none. */
  public long appliedAtMs;

  /** Whether the engine can't know what the last apply did: it was cut off. */
  public boolean unsure;

  /**
   * Whether the next change of the object may be a late end of the apply that was cut off: 1 for
   * yes, 2 while an apply is due for that reason, 0 for no.
   */
  public byte doubt;

  /** Failures in a row. */
  public int failures;

  /** No request before this time, in ms of the engine's clock. */
  public long notBeforeMs;

  /** Next time at which a timer looks at it, in ms; 0 for none. */
  public long timerMs;

  /** Since when it waits, in ms; 0 when it does not. */
  public long waitingSinceMs;

  /** Whether its manifest names an order that can't be kept: then it is not applied. */
  public boolean unordered;

  /** Whether it stands in the queue of those to decide on. */
  public boolean queued;

  /** Whether later ranks need not wait for it any more. */
  public boolean settled;

  /** Whether it is known for its label alone: no source ever named it. */
  public boolean stranger;

  /** Whether we deleted it since no source wants it. */
  public boolean pruned;

  /** Hash of others' fields when we yielded to them; 0 when we did not. */
  public long yieldedTo;

  /** How it stands. */
  public Outcome outcome = Outcome.PENDING;

  /** Why it does not stand well; empty when it does. */
  public String words = "";

  /**
   * Of an object.
   *
   * @param key the object
   */
  public Entry(ObjectKey key) {
    this.key = key;
  }

  /** Forgets order and wishes: no source wants the object any more. */
  public void unwanted() {
    manifest = null;
    source = -1;
    needs = NONE;
    waitsFor = NONE;
    dependents = NONE;
    words = "";
  }

  /**
   * Takes over what the server said, unless something newer is known.
   *
   * @param seen the object
   * @param manager our name as a field manager
   * @return false when it is no news
   */
  public boolean see(Observed seen, String manager) {
    if (seen.resourceVersion() < resourceVersion
        || seen.resourceVersion() == resourceVersion && presence != Presence.UNSEEN) {
      return false;
    }
    resourceVersion = seen.resourceVersion();
    presence = seen.deleting() ? Presence.DELETING : Presence.PRESENT;
    uid = seen.uid();
    generation = seen.generation();
    seenFields = OwnedHash.fields(seen.managers(), manager);
    seenValues = seen.valuesHash();
    seenOthers = OwnedHash.others(seen.managers(), manager);
    partOf = seen.partOf();
    health = seen.deleting() ? Health.TERMINATING : seen.health();
    lastHealth = seen.deleting() ? lastHealth : health;
    return true;
  }

  /**
   * Takes over that the object does not exist, or left its set, unless something newer is known.
   *
   * @param version the version at which that was so
   * @return false when it is no news
   */
  public boolean gone(long version) {
    if (version < resourceVersion || presence == Presence.ABSENT) {
      return false;
    }
    resourceVersion = version;
    presence = Presence.ABSENT;
    health = Health.UNKNOWN;
    seenFields = 0;
    seenValues = 0;
    seenOthers = 0;
    partOf = "";
    return true;
  }

  /**
   * The object changed after the apply that repeated one which was cut off. That one may have ended
   * late, in the same second: then the fields have the same owner and time, and other values. So
   * one more apply is due.
   */
  public void doubted() {
    if (doubt == 1) {
      doubt = 2;
      unsure = true;
    }
  }

  /**
   * Whether the object differs from what our last apply left, in fields that we own.
   *
   * @return true for drift
   */
  public boolean drifted() {
    return seenFields != ownedFields
        || ownedValues != 0 && seenValues != 0 && seenValues != ownedValues;
  }
}
