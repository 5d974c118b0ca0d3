// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.tree;

import io.exaplane.scheduler.engine.model.StableHash;
import io.exaplane.scheduler.engine.placement.BestOfCell;
import io.exaplane.scheduler.engine.plugin.Profile;
import java.util.HashSet;

/**
 * What goes up and down the tree, as bytes: a message begins with the number of its kind, a record
 * is its components in order, and a component that may be absent begins with whether it is there.
 * Who sends gives the length. Changes are for one member and stay {@link Packed} in the message, so
 * that who passes them on reads nothing but for whom they are. Both sides have the same records if
 * they have the same {@link #FINGERPRINT}. Any thread.
 */
public final class TreeCodec {
  private static final Form DOWN = Forms.form(Down.class);
  private static final Form UP = Forms.form(Up.class);
  private static final SealedForm CHANGE = (SealedForm) Forms.form(Change.class);
  private static final int COUNT = CHANGE.kind(Change.Count.class);

  /** What messages and the records of the model look like, and which engine judges by them. */
  public static final String FINGERPRINT = fingerprint();

  private TreeCodec() {}

  /** What goes down, as bytes. */
  public static byte[] encode(Down message) {
    return encode(DOWN, message);
  }

  /** What goes up, as bytes. */
  public static byte[] encode(Up message) {
    return encode(UP, message);
  }

  /**
   * What came down; changes are not read yet. The array is not to be changed any more.
   *
   * @throws IllegalArgumentException if it makes no sense
   */
  public static Down down(byte[] bytes) {
    return (Down) decode(DOWN, "down", bytes);
  }

  /**
   * What came up.
   *
   * @throws IllegalArgumentException if it makes no sense
   */
  public static Up up(byte[] bytes) {
    Up message = (Up) decode(UP, "up", bytes);
    if (message instanceof Up.Answer answer && answer.cells() != null) {
      answer.cells().forEach(TreeCodec::check);
    }
    return message;
  }

  private static void check(BestOfCell cell) {
    int named = cell.nodes().length;
    if (cell.scores().length != named || cell.hashes().length != named || cell.size() < named) {
      throw new IllegalArgumentException(
          "a cell must have a score and a hash for each named node, and must not name more nodes than it has");
    }
  }

  /** A change behind others. Most are counts: for these nothing is made on the way. */
  static void write(Change change, ByteSink to) {
    if (change instanceof Change.Count count) {
      to.number(COUNT);
      to.number(count.node());
      to.number(count.podClass());
      to.number(count.more());
    } else {
      write(CHANGE, change, to);
    }
  }

  /** The next change; it throws an IllegalArgumentException if there is none. */
  static Change readChange(ByteSource from) {
    try {
      int kind = (int) from.number();
      return kind == COUNT
          ? new Change.Count((int) from.number(), (int) from.number(), (int) from.number())
          : (Change) CHANGE.read(kind, from);
    } catch (Throwable e) {
      throw new IllegalArgumentException("the bytes are not a change", e);
    }
  }

  static byte[] encode(Form form, Object value) {
    ByteSink sink = new ByteSink();
    write(form, value, sink);
    return sink.toBytes();
  }

  private static void write(Form form, Object value, ByteSink to) {
    try {
      form.write(value, to);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(value.getClass() + ": is not writable", e);
    }
  }

  static Object decode(Form form, String what, byte[] bytes) {
    ByteSource source = new ByteSource(bytes, 0, bytes.length);
    Object value;
    try {
      value = form.read(source);
    } catch (Throwable e) {
      throw new IllegalArgumentException(what + ": the bytes are not such a message", e);
    }
    if (!source.isAtEnd()) {
      throw new IllegalArgumentException(what + ": bytes are left");
    }
    return value;
  }

  private static String fingerprint() {
    HashSet<java.lang.reflect.Type> seen = new HashSet<>();
    String all = DOWN.describe(seen) + ';' + UP.describe(seen) + ';' + CHANGE.describe(seen);
    return Long.toHexString(StableHash.of(all)) + "-" + Long.toHexString(Build.of(Profile.class));
  }
}
