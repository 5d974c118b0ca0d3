// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Supplier;

/** A store in memory, as the pages /moves show it: one prefix, and values that are texts. */
final class FakeStore implements StoreMoves {
  private static final int PAGE = 3;
  private static final long ABOVE = 1_000_000_000L;

  /** A change; the value is null for a deletion. */
  private record Change(long revision, String key, String value) {}

  final Map<String, String> data = new TreeMap<>();
  private final List<Change> history = new ArrayList<>();
  private final String prefix;
  PrefixDurability durability = new PrefixDurability(List.of());
  private String clusterId = "c1";
  private long revision = 1;
  private long compacted;
  private long frozenAt;
  private Role role;
  private String id;

  /** Whether it is Left with keys that another store may not have. */
  private boolean leftKeys;

  FakeStore(String prefix) {
    this.prefix = prefix;
  }

  Role role() {
    return role;
  }

  long revision() {
    return revision;
  }

  long compacted() {
    return compacted;
  }

  /** Whether a client's write is carried out. */
  boolean takesWrites() {
    return role == null || role == Role.Arrived;
  }

  /** A client's write; null deletes. */
  void put(String key, String value) {
    if (!takesWrites()) {
      throw new IllegalStateException("a client's write reached a store that is " + role);
    }
    write(List.of(new Change(revision + 1, key, value)));
  }

  /** Forgets history, as a compaction does. */
  void compact() {
    compacted = revision;
    history.clear();
  }

  /** A start on an empty volume. */
  void startEmpty() {
    data.clear();
    history.clear();
    role = null;
    id = null;
    revision = 1;
    compacted = 0;
    clusterId = "another";
  }

  private void write(List<Change> changes) {
    revision++;
    for (Change change : changes) {
      if (change.value() == null) {
        data.remove(change.key());
      } else {
        data.put(change.key(), change.value());
      }
      history.add(new Change(revision, change.key(), change.value()));
    }
  }

  @Override
  public StoreMoves held(Supplier<Duration> most) {
    return this;
  }

  @Override
  public States states() {
    return new States(
        revision,
        clusterId,
        role == null ? List.of() : List.of(new Entry(prefix, id, role)),
        durability);
  }

  @Override
  public void arrive(MoveKey key, long above, String finished) throws IOException {
    boolean other = role != null && !key.taskUid().equals(id);
    require(role != Role.Arrived || other, "this move has arrived already");
    require(!other || role == Role.Left, "another move concerns the prefix");
    require(role != null || data.isEmpty(), "the prefix has keys");
    require(role != Role.Left || !leftKeys || finished.equals(id), "its keys may be the only ones");
    data.clear();
    history.clear();
    raise(above);
    role = Role.Arriving;
    id = key.taskUid();
  }

  /** As another Kind's arrival does, too. */
  void raise(long above) {
    revision = Math.max(revision, above + ABOVE);
    compact();
  }

  @Override
  public void take(MoveKey key, byte[] records) throws IOException {
    require(is(Role.Arriving, key), "no such move arrives");
    write(read(records));
  }

  @Override
  public Page page(MoveKey key, String after) {
    List<Change> page =
        data.entrySet().stream()
            .filter(entry -> entry.getKey().compareTo(after) > 0)
            .limit(PAGE)
            .map(entry -> new Change(1, entry.getKey(), entry.getValue()))
            .toList();
    boolean last =
        page.isEmpty()
            || data.keySet().stream().allMatch(k -> k.compareTo(page.getLast().key()) <= 0);
    return new Page(
        written(page),
        last ? "" : page.getLast().key(),
        after.isEmpty() ? OptionalLong.of(data.size()) : OptionalLong.empty());
  }

  @Override
  public Changes changes(MoveKey key, long after, int waitMs) throws IOException {
    if (after < compacted) {
      throw new RefusedException(410, "compacted at " + compacted);
    }
    List<Change> next =
        history.stream().filter(change -> change.revision() > after).limit(PAGE).toList();
    boolean all = next.isEmpty() || next.getLast().equals(history.getLast());
    return new Changes(written(next), all ? revision : next.getLast().revision());
  }

  @Override
  public long freeze(MoveKey key) throws IOException {
    if (!is(Role.Frozen, key)) {
      require(takesWrites(), "the prefix is " + role);
      role = Role.Frozen;
      id = key.taskUid();
      frozenAt = revision;
    }
    return frozenAt;
  }

  @Override
  public void thaw(MoveKey key) throws IOException {
    if (!takesWrites()) {
      require(is(Role.Frozen, key), "not frozen by this move");
      role = null;
    }
  }

  @Override
  public Sum sum(MoveKey key, Duration most) {
    return new Sum(data.size(), Integer.toHexString(data.hashCode()));
  }

  @Override
  public long leave(MoveKey key, long compared) throws IOException {
    require(is(Role.Frozen, key) || is(Role.Left, key), "not frozen by this move");
    require(frozenAt == compared, "it was written after revision " + compared);
    role = Role.Left;
    leftKeys = true;
    return revision;
  }

  @Override
  public void finish(MoveKey key, Sum sum, long above) throws IOException {
    if (is(Role.Arrived, key)) {
      return;
    }
    require(is(Role.Arriving, key), "no such move arrives");
    require(sum.equals(sum(key, Duration.ZERO)), "the sums differ");
    if (compacted <= above) {
      raise(above);
    }
    role = Role.Arrived;
  }

  @Override
  public void abandon(MoveKey key) throws IOException {
    if (is(Role.Left, key) && !leftKeys) {
      return;
    }
    require(is(Role.Arriving, key), "no such move arrives");
    data.clear();
    role = Role.Left;
    leftKeys = false;
  }

  @Override
  public void clear(MoveKey key) throws IOException {
    require(is(Role.Left, key), "not left by this move");
    data.clear();
  }

  private boolean is(Role wanted, MoveKey key) {
    return role == wanted && key.taskUid().equals(id);
  }

  private static void require(boolean holds, String otherwise) throws RefusedException {
    if (!holds) {
      throw new RefusedException(409, otherwise);
    }
  }

  private static byte[] written(List<Change> changes) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (Change change : changes) {
      byte[] record =
          (change.key() + "\n" + Objects.requireNonNullElse(change.value(), ""))
              .getBytes(StandardCharsets.UTF_8);
      body.writeBytes(ByteBuffer.allocate(4).putInt(record.length).array());
      body.writeBytes(record);
    }
    return body.toByteArray();
  }

  private static List<Change> read(byte[] records) {
    List<Change> changes = new ArrayList<>();
    ByteBuffer left = ByteBuffer.wrap(records);
    while (left.hasRemaining()) {
      byte[] record = new byte[left.getInt()];
      left.get(record);
      String[] parts = new String(record, StandardCharsets.UTF_8).split("\n", -1);
      changes.add(new Change(0, parts[0], parts[1].isEmpty() ? null : parts[1]));
    }
    return changes;
  }

  /** For lambdas. */
  interface Call<T> {
    T run() throws IOException, InterruptedException;
  }

  /** A call that nobody waits for any more. */
  static void late(Call<?> call) {
    try {
      call.run();
    } catch (RefusedException e) {
      // Nobody reads the answer.
      return;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
