// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.execute;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.request.Compare;
import io.exaplane.store.core.request.DeleteRangeRequest;
import io.exaplane.store.core.request.Operation;
import io.exaplane.store.core.request.PutRequest;
import io.exaplane.store.core.request.RangeRequest;
import io.exaplane.store.core.request.Reusable;
import io.exaplane.store.core.request.Slice;
import io.exaplane.store.core.request.TxnRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * etcd's semantics, written to be read: every state of every revision is kept, and each answer is a
 * text. What the store answers must be the same text.
 *
 * <p>Longer than others: a reader who asks what etcd does finds each request and its answer here.
 */
public final class EtcdModel {
  /** A key's version as text shows it. */
  public record Version(String key, String value, long create, long mod, long version, long lease) {
    @Override
    public String toString() {
      return "%s=%s c%d m%d v%d l%d".formatted(key, value, create, mod, version, lease);
    }
  }

  /** A change; without {@code now} a deletion. */
  public record Event(long revision, String key, Version now, Version before) {}

  private final TreeMap<Long, NavigableMap<String, Version>> states = new TreeMap<>();
  public final TreeMap<Long, Long> leases = new TreeMap<>(); // id to deadline
  public final List<Event> events = new ArrayList<>();
  private NavigableMap<String, Version> state = new TreeMap<>();
  private boolean changed;
  public long revision = 1;
  public long compacted = -1;

  public EtcdModel() {
    states.put(1L, new TreeMap<>());
  }

  /** A model that goes on from here on its own. */
  public EtcdModel copy() {
    EtcdModel copy = new EtcdModel();
    copy.states.putAll(states);
    copy.leases.putAll(leases);
    copy.events.addAll(events);
    copy.state = new TreeMap<>(state);
    copy.revision = revision;
    copy.compacted = compacted;
    return copy;
  }

  /** A model that begins with these keys, at a revision below which everything was compacted. */
  public static EtcdModel of(List<Version> keys, long revision) {
    EtcdModel model = new EtcdModel();
    keys.forEach(version -> model.state.put(version.key(), version));
    model.states.clear();
    model.states.put(revision, model.state);
    model.revision = revision;
    model.compacted = revision;
    return model;
  }

  /** Every key of the newest revision. */
  public List<Version> all() {
    return List.copyOf(state.values());
  }

  /**
   * Goes on at a revision, without some keys: they are gone, and so is what was told of their past.
   *
   * @param isKept says it of a key
   */
  public void restart(Predicate<String> isKept, long at) {
    states.replaceAll((_, keys) -> kept(keys, isKept));
    events.removeIf(event -> !isKept.test(event.key()));
    state = kept(state, isKept);
    revision = at;
    states.put(revision, state);
    state = new TreeMap<>(state);
  }

  /** Has these keys, too, at the newest revision. */
  public void add(List<Version> keys) {
    keys.forEach(version -> state.put(version.key(), version));
    states.put(revision, new TreeMap<>(state));
  }

  private static NavigableMap<String, Version> kept(
      NavigableMap<String, Version> keys, Predicate<String> isKept) {
    NavigableMap<String, Version> kept = new TreeMap<>(keys);
    kept.keySet().removeIf(isKept.negate());
    return kept;
  }

  /** Goes on by a revision without a change, and compacts below it. */
  public void compactAll() {
    revision++;
    states.put(revision, state);
    state = new TreeMap<>(state);
    compact(revision);
  }

  /** Goes on with a later revision, and compacts there. */
  public void raise(long by) {
    revision += by;
    states.put(revision, state);
    state = new TreeMap<>(state);
    compact(revision);
  }

  /** Every key at a revision that was not compacted. */
  public List<Version> at(long revision) {
    return List.copyOf(states.floorEntry(revision).getValue().values());
  }

  // Requests

  public String put(PutRequest request) {
    checkLease(request);
    checkBefore(request);
    String answer = applyPut(request);
    commit();
    return answer;
  }

  public String deleteRange(DeleteRangeRequest request) {
    String answer = applyDelete(request);
    commit();
    return answer;
  }

  public String txn(TxnRequest request) {
    List<Boolean> path = new ArrayList<>();
    decide(request, path);
    check(request, new ArrayList<>(path), new ArrayList<>());
    String answer = apply(request, path);
    commit();
    return "rev=" + revision + " " + answer;
  }

  public String range(RangeRequest request) {
    return applyRange(request, revision);
  }

  public void compact(long at) {
    if (at <= compacted) {
      throw StoreException.COMPACTED;
    }
    if (at > revision) {
      throw StoreException.FUTURE_REVISION;
    }
    compacted = at;
    var then = states.floorEntry(at);
    if (then != null) {
      states.put(at, then.getValue());
    }
    states.headMap(at).clear();
    events.removeIf(event -> event.revision() < at);
  }

  /** Ends a lease and says whether there was one. */
  public boolean revoke(long id) {
    if (leases.remove(id) == null) {
      return false;
    }
    for (Version version : List.copyOf(state.values())) {
      if (version.lease() == id) {
        delete(version);
      }
    }
    commit();
    return true;
  }

  // Txn

  private void decide(TxnRequest request, List<Boolean> path) {
    boolean holds = true;
    for (int i = 0; i < request.compares.size() && holds; i++) {
      holds = holds(request.compares.get(i));
    }
    path.add(holds);
    for (Operation operation : operations(holds ? request.success : request.failure)) {
      if (operation.kind == Operation.Kind.TXN) {
        decide(operation.txn(), path);
      }
    }
  }

  private boolean holds(Compare compare) {
    List<Version> found = in(state, text(compare.key), text(compare.rangeEnd));
    if (found.isEmpty()) {
      return compare.target != Compare.VALUE && holds(compare, new Version("", "", 0, 0, 0, 0));
    }
    return found.stream().allMatch(version -> holds(compare, version));
  }

  private static boolean holds(Compare compare, Version version) {
    long given = compare.given == compare.target ? compare.number : 0;
    int order =
        switch (compare.target) {
          case Compare.VERSION -> Long.compare(version.version(), given);
          case Compare.CREATE -> Long.compare(version.create(), given);
          case Compare.MOD -> Long.compare(version.mod(), given);
          case Compare.LEASE -> Long.compare(version.lease(), given);
          default ->
              version.value().compareTo(compare.given == Compare.VALUE ? text(compare.value) : "");
        };
    return switch (compare.result) {
      case Compare.EQUAL -> order == 0;
      case Compare.NOT_EQUAL -> order != 0;
      case Compare.GREATER -> order > 0;
      default -> order < 0;
    };
  }

  private void check(TxnRequest request, List<Boolean> path, List<String> deletedFrom) {
    for (Operation operation : operations(path.removeFirst() ? request.success : request.failure)) {
      switch (operation.kind) {
        case RANGE -> checkRevision(operation.range.revision);
        case PUT -> {
          checkBefore(operation.put);
          checkLease(operation.put);
          String key = text(operation.put.key);
          if ((operation.put.ignoreValue || operation.put.ignoreLease)
              && deletedFrom.stream().anyMatch(from -> from.compareTo(key) <= 0)) {
            throw StoreException.KEY_NOT_FOUND; // etcd panics
          }
        }
        case DELETE_RANGE -> {
          if (text(operation.deleteRange.rangeEnd).equals("\0")) {
            deletedFrom.add(text(operation.deleteRange.key));
          }
        }
        case TXN -> check(operation.txn(), path, deletedFrom);
        default -> {}
      }
    }
  }

  private void checkRevision(long asked) {
    if (asked > revision) {
      throw StoreException.FUTURE_REVISION;
    }
    if (asked != 0 && asked < compacted) {
      throw StoreException.COMPACTED;
    }
  }

  private void checkBefore(PutRequest request) {
    if ((request.ignoreValue || request.ignoreLease) && !state.containsKey(text(request.key))) {
      throw StoreException.KEY_NOT_FOUND;
    }
  }

  private void checkLease(PutRequest request) {
    if (request.lease != 0 && !leases.containsKey(request.lease)) {
      throw StoreException.LEASE_NOT_FOUND;
    }
  }

  private String apply(TxnRequest request, List<Boolean> path) {
    boolean succeeded = path.removeFirst();
    StringBuilder answer = new StringBuilder(succeeded ? "then {" : "else {");
    for (Operation operation : operations(succeeded ? request.success : request.failure)) {
      answer.append(
          switch (operation.kind) {
            case RANGE -> applyRange(operation.range, working());
            case PUT -> applyPut(operation.put);
            case DELETE_RANGE -> applyDelete(operation.deleteRange);
            default -> apply(operation.txn(), path);
          });
      answer.append("; ");
    }
    return answer.append('}').toString();
  }

  // Operations

  private String applyRange(RangeRequest request, long newest) {
    if (request.revision > newest) {
      throw StoreException.FUTURE_REVISION;
    }
    long at = request.revision <= 0 ? newest : request.revision;
    if (at < compacted) {
      throw StoreException.COMPACTED;
    }
    NavigableMap<String, Version> keys = at == working() ? state : states.floorEntry(at).getValue();
    List<Version> found = new ArrayList<>(in(keys, text(request.key), text(request.rangeEnd)));
    String answer = "range rev=%d count=%d".formatted(newest, found.size());
    if (request.countOnly) {
      return answer + " more=false []";
    }
    found.removeIf(
        v ->
            (request.maxModRevision != 0 && v.mod() > request.maxModRevision)
                || v.mod() < request.minModRevision
                || (request.maxCreateRevision != 0 && v.create() > request.maxCreateRevision)
                || v.create() < request.minCreateRevision);
    if (isUnsortedPage(request) && found.size() > request.limit) {
      // An order that only the target asks for is made within the page, and one more.
      found.subList((int) request.limit + 1, found.size()).clear();
    }
    sort(found, request);
    boolean more = request.limit > 0 && found.size() > request.limit;
    List<Version> shown = more ? found.subList(0, (int) request.limit) : found;
    if (request.keysOnly) {
      shown =
          shown.stream()
              .map(v -> new Version(v.key(), "", v.create(), v.mod(), v.version(), v.lease()))
              .toList();
    }
    return answer + " more=" + more + " " + shown;
  }

  private static boolean isUnsortedPage(RangeRequest request) {
    return request.limit > 0
        && request.sortOrder == RangeRequest.ORDER_NONE
        && request.minModRevision == 0
        && request.maxModRevision == 0
        && request.minCreateRevision == 0
        && request.maxCreateRevision == 0;
  }

  private static void sort(List<Version> found, RangeRequest request) {
    if (request.sortTarget == RangeRequest.TARGET_KEY) {
      if (request.sortOrder == RangeRequest.ORDER_DESCEND) {
        Collections.reverse(found);
      }
      return;
    }
    Comparator<Version> order =
        switch (request.sortTarget) {
          case RangeRequest.TARGET_VERSION -> Comparator.comparingLong(Version::version);
          case RangeRequest.TARGET_CREATE -> Comparator.comparingLong(Version::create);
          case RangeRequest.TARGET_MOD -> Comparator.comparingLong(Version::mod);
          default -> Comparator.comparing(Version::value);
        };
    found.sort(request.sortOrder == RangeRequest.ORDER_DESCEND ? order.reversed() : order);
  }

  private String applyPut(PutRequest request) {
    String key = text(request.key);
    Version before = state.get(key);
    long lease = request.ignoreLease ? before.lease() : request.lease;
    String value = request.ignoreValue ? before.value() : text(request.value);
    long next = revision + 1;
    Version now =
        before == null
            ? new Version(key, value, next, next, 1, lease)
            : new Version(key, value, before.create(), next, before.version() + 1, lease);
    state.put(key, now);
    events.add(new Event(next, key, now, shownBefore(key)));
    changed = true;
    return "put rev=%d prev=%s".formatted(next, request.prevKv ? before : null);
  }

  private String applyDelete(DeleteRangeRequest request) {
    List<Version> found = List.copyOf(in(state, text(request.key), text(request.rangeEnd)));
    found.forEach(this::delete);
    return "delete rev=%d deleted=%d prev=%s"
        .formatted(working(), found.size(), request.prevKv ? found : List.of());
  }

  private void delete(Version version) {
    state.remove(version.key());
    events.add(new Event(revision + 1, version.key(), null, shownBefore(version.key())));
    changed = true;
  }

  /** What a watch shows as before: the version at the revision before, whatever came between. */
  private Version shownBefore(String key) {
    return states.get(revision).get(key);
  }

  private long working() {
    return changed ? revision + 1 : revision;
  }

  private void commit() {
    if (changed) {
      revision++;
      states.put(revision, state);
      state = new TreeMap<>(state);
      changed = false;
    }
  }

  private static List<Operation> operations(Reusable<Operation> operations) {
    List<Operation> list = new ArrayList<>();
    for (int i = 0; i < operations.size(); i++) {
      list.add(operations.get(i));
    }
    return list;
  }

  private static List<Version> in(NavigableMap<String, Version> keys, String key, String end) {
    if (end.isEmpty()) {
      return keys.containsKey(key) ? List.of(keys.get(key)) : List.of();
    }
    if (end.equals("\0")) {
      return List.copyOf(keys.tailMap(key, true).values());
    }
    return key.compareTo(end) >= 0
        ? List.of()
        : List.copyOf(keys.subMap(key, true, end, false).values());
  }

  static String text(Slice slice) {
    return new String(slice.copy(), ISO_8859_1);
  }
}
