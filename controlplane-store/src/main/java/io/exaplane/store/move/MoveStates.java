// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.move;

import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.request.Slice;
import io.exaplane.store.journal.MemberIds;
import io.exaplane.store.journal.MovesFile;
import io.exaplane.store.journal.storage.NoFolder;
import io.exaplane.store.journal.storage.Storage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The moves that a store takes part in, by prefix. Read by any thread; changed by the writer alone,
 * and durable before anybody sees it.
 */
public final class MoveStates {
  /** As many Kinds as no cluster has; the file is written whole at each change. */
  private static final int MOST = 1024;

  private static final int FORM = 1;

  /** Keys whose requests are not all served. */
  record Closed(KeyRange keys, Move.State state) {
    boolean has(Slice key) {
      byte[] prefix = keys.start();
      int from = key.offset();
      return key.length() >= prefix.length
          && Arrays.equals(key.array(), from, from + prefix.length, prefix, 0, prefix.length);
    }

    /** Whether all keys from one on, up to an end, are these; {@link KeyRange#holds} by slices. */
    boolean holds(Slice key, Slice rangeEnd) {
      return compare(key, keys.start()) >= 0
          && !isOpen(rangeEnd)
          && compare(rangeEnd, keys.end()) <= 0;
    }

    /** Whether one of them is: {@link KeyRange#meets} by slices, and false if there are none. */
    boolean meets(Slice key, Slice rangeEnd) {
      return compare(key, keys.end()) < 0
          && (isOpen(rangeEnd) || compare(rangeEnd, keys.start()) > 0 && isAbove(rangeEnd, key));
    }

    private static boolean isOpen(Slice rangeEnd) {
      return rangeEnd.length() == 1 && rangeEnd.array()[rangeEnd.offset()] == 0;
    }

    private static boolean isAbove(Slice end, Slice key) {
      return Arrays.compareUnsigned(
              end.array(),
              end.offset(),
              end.offset() + end.length(),
              key.array(),
              key.offset(),
              key.offset() + key.length())
          > 0;
    }

    private static int compare(Slice slice, byte[] to) {
      int from = slice.offset();
      return Arrays.compareUnsigned(slice.array(), from, from + slice.length(), to, 0, to.length);
    }
  }

  private final MovesFile file;

  /** Whether the file may have something else than what is shown: the last write failed. */
  private volatile boolean unsure;

  private volatile Map<String, Move> moves;
  private volatile List<Closed> closed;

  private MoveStates(MovesFile file, Map<String, Move> moves) {
    this.file = file;
    show(moves);
  }

  /**
   * Reads what a folder tells; changes nothing.
   *
   * @param ids of the store
   * @throws IOException if the file is damaged, or of a later version; the text names the next
   *     action
   */
  public static MoveStates open(Storage storage, MemberIds ids) throws IOException {
    MovesFile file = new MovesFile(storage, ids);
    byte[] content = file.read();
    return new MoveStates(file, content == null ? new TreeMap<>() : decoded(content));
  }

  /** Of a store that keeps nothing. */
  public static MoveStates inMemory() {
    return new MoveStates(new MovesFile(new NoFolder(), new MemberIds(0, 0)), new TreeMap<>());
  }

  /** Where the move of exactly these keys stands, if there is one. */
  public Optional<Move> of(String prefix) {
    return Optional.ofNullable(moves.get(prefix));
  }

  /** All, in the order of their prefixes. */
  public List<Move> all() {
    return List.copyOf(moves.values());
  }

  /** Keys that are not served as usual; empty in a store without moves. */
  List<Closed> closed() {
    return closed;
  }

  /**
   * Changes where a move stands; durable on return. By the writer.
   *
   * @param state empty: there is none any more
   * @throws MoveException if the prefix overlaps that of another move, or there are too many
   * @throws IOException if the file can't be written; nothing is changed then, as far as anybody
   *     sees. A restart may find either, until {@link #makeSure} or this has succeeded.
   */
  public void set(String prefix, Optional<Move> state) throws IOException {
    Map<String, Move> changed = new TreeMap<>(moves);
    if (state.isPresent()) {
      requireApart(prefix);
      changed.put(prefix, state.get());
    } else {
      changed.remove(prefix);
    }
    if (changed.equals(moves) && !unsure) {
      return;
    }
    if (changed.size() > MOST) {
      throw new MoveException(
          409,
          "prefix: '%s' would be the move %d of this store, which keeps %d at most; use the prefix of a whole Kind, or move the Kind to another store"
              .formatted(prefix, changed.size(), MOST));
    }
    write(changed);
    show(changed);
  }

  /** Whether a restart may find other states than those that are shown. By any thread. */
  public boolean isUnsure() {
    return unsure;
  }

  /**
   * Writes what is shown, if a restart may find something else. By the writer.
   *
   * @throws IOException if it can't be written now
   */
  public void makeSure() throws IOException {
    if (unsure) {
      write(moves);
    }
  }

  private void write(Map<String, Move> content) throws IOException {
    unsure = true; // a write that fails may have replaced the file all the same
    file.write(encoded(content));
    unsure = false;
  }

  private void requireApart(String prefix) {
    for (String other : moves.keySet()) {
      if (!other.equals(prefix) && (other.startsWith(prefix) || prefix.startsWith(other))) {
        throw new MoveException(
            409,
            "prefix: '%s' overlaps '%s', which moves already; move each Kind by its own prefix"
                .formatted(prefix, other));
      }
    }
  }

  private void show(Map<String, Move> shown) {
    closed =
        shown.values().stream()
            .filter(move -> move.state() != Move.State.Arrived)
            .map(move -> new Closed(keys(move.prefix()), move.state()))
            .toList();
    moves = shown;
  }

  /** The keys below a prefix. */
  public static KeyRange keys(String prefix) {
    return KeyRange.ofPrefix(prefix.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] encoded(Map<String, Move> moves) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(FORM);
    out.writeInt(moves.size());
    for (Move move : moves.values()) {
      out.writeUTF(move.prefix());
      out.writeUTF(move.id());
      out.writeUTF(move.state().name());
      out.writeLong(move.revision());
    }
    return bytes.toByteArray();
  }

  private static Map<String, Move> decoded(byte[] content) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(content));
    int form = in.readByte();
    if (form != FORM) {
      throw MovesFile.later("the form " + form);
    }
    Map<String, Move> moves = new TreeMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      String prefix = in.readUTF();
      moves.put(prefix, new Move(prefix, in.readUTF(), state(in.readUTF()), in.readLong()));
    }
    return moves;
  }

  private static Move.State state(String name) throws IOException {
    for (Move.State state : Move.State.values()) {
      if (state.name().equals(name)) {
        return state;
      }
    }
    throw MovesFile.later("a move in the state '%s'".formatted(name));
  }
}
