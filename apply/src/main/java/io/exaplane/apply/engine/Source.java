// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import io.exaplane.apply.entry.Entry;
import io.exaplane.apply.inventory.ApplySet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** One source: what it wants, how far it is, and its inventory. Single writer. */
final class Source {
  final int index;
  final ApplySet set;

  /** What it wants, as it was told; null before that. */
  Event.Desired wanted;

  /** Manifests that can't be applied at all, by place: message. */
  final Map<String, Notice> problems = new LinkedHashMap<>();

  /** Its objects by rank. */
  List<List<Entry>> ranks = List.of();

  /** How many of each rank are not settled. */
  int[] remaining = {};

  /** The first rank that is not settled. */
  int open;

  /** Whether the newest wish is news, so that each of its objects is looked at again. */
  boolean fresh;

  /** Whether the newest wish was compared with what the server serves. */
  boolean assigned;

  /** Whether the inventory was read. */
  boolean loaded;

  boolean loading;

  /** Whether the server has the inventory, or had it since the engine began. */
  boolean found;

  /** Whether the engine let go of the source: nothing is done for it, and its place is dead. */
  boolean released;

  /** Kinds that the written inventory names. */
  Set<String> savedKinds = new TreeSet<>();

  /** Kinds of records that the inventory does not name, as somebody edited it. */
  final Set<String> unnamedKinds = new TreeSet<>();

  /** Kinds that it must name before the first object of a kind may be created. */
  Set<String> neededKinds = new TreeSet<>();

  int shards = 1;
  final BitSet dirty = new BitSet();
  boolean parentDirty;
  long dirtySinceMs;
  boolean saving;
  BitSet savingShards = new BitSet();
  Set<String> savingKinds = Set.of();

  /** Of a source that wants nothing any more: what the server still has, as far as is known. */
  int left;

  /** Since when that number stays, in ms. */
  long leftSinceMs;

  int failures;
  long notBeforeMs;

  /** Requests for it, and bytes of objects in them; see {@link Cost}. */
  long requests;

  long sentBytes;

  /** Why nothing goes on; empty when it does. */
  String halted = "";

  Source(int index, ApplySet set) {
    this.index = index;
    this.set = set;
  }

  /** Forgets all but its place. */
  void release() {
    released = true;
    wanted = null;
    problems.clear();
    ranks = List.of();
    remaining = new int[0];
    open = 0;
    assigned = false;
    loaded = false;
    savedKinds = new TreeSet<>();
    neededKinds = new TreeSet<>();
    unnamedKinds.clear();
    dirty.clear();
    parentDirty = false;
    left = 0;
    requests = 0;
    sentBytes = 0;
  }

  /** Whether each object was tried. */
  boolean settled() {
    return assigned && open >= ranks.size();
  }

  boolean dirty() {
    return parentDirty || !dirty.isEmpty();
  }

  List<Entry> all() {
    List<Entry> all = new ArrayList<>();
    ranks.forEach(all::addAll);
    return all;
  }
}
