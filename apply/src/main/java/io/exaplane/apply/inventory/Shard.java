// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.inventory;

import io.exaplane.apply.manifest.ObjectKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * The bytes of one shard: deflated; a version, the kinds, the namespaces, then the records sorted
 * by kind, namespace and name. Incompressible are three hashes of eight bytes a record. Pure.
 */
final class Shard {
  /** A ConfigMap takes 1 MiB of data; the rest is for the parent's annotations. */
  static final int LIMIT_BYTES = 900 * 1024;

  private static final int FORMAT = 1;

  /** Two hashes of a record at least can't be deflated, so a full shard has fewer. */
  private static final int MOST_RECORDS = LIMIT_BYTES / (2 * Long.BYTES);

  /** Inflated: 1 MiB of zeros can become 1 GiB, and anybody may write a ConfigMap. */
  private static final int MOST_BYTES = 16 << 20;

  private Shard() {}

  /**
   * Which shard holds an object.
   *
   * @param key the object
   * @param shards number of shards, a power of two
   * @return from 0
   */
  static int of(ObjectKey key, int shards) {
    int hash = key.group().hashCode();
    hash = 31 * hash + key.kind().hashCode();
    hash = 31 * hash + key.namespace().hashCode();
    hash = 31 * hash + key.name().hashCode();
    hash *= 0x9E3779B9;
    return (hash ^ hash >>> 16) & shards - 1;
  }

  static byte[] write(List<InventoryRecord> records) {
    List<InventoryRecord> sorted = new ArrayList<>(records);
    sorted.sort(Comparator.comparing(one -> one.key().toString()));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(bytes))) {
      out.writeByte(FORMAT);
      Map<String, Integer> texts = new LinkedHashMap<>();
      for (InventoryRecord one : sorted) {
        texts.putIfAbsent(one.key().group(), texts.size());
        texts.putIfAbsent(one.key().kind(), texts.size());
        texts.putIfAbsent(one.key().namespace(), texts.size());
      }
      out.writeInt(texts.size());
      for (String text : texts.keySet()) {
        out.writeUTF(text);
      }
      out.writeInt(sorted.size());
      for (InventoryRecord one : sorted) {
        out.writeInt(texts.get(one.key().group()));
        out.writeInt(texts.get(one.key().kind()));
        out.writeInt(texts.get(one.key().namespace()));
        out.writeUTF(one.key().name());
        out.writeLong(one.manifest());
        out.writeLong(one.fields());
        out.writeLong(one.values());
        out.writeLong(one.generation());
        out.writeLong(one.resourceVersion());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static List<InventoryRecord> read(byte[] bytes) throws IOException {
    try (DataInputStream in =
        new DataInputStream(
            new Bounded(new InflaterInputStream(new ByteArrayInputStream(bytes)), MOST_BYTES))) {
      int format = in.readUnsignedByte();
      if (format != FORMAT) {
        throw new IOException("format " + format + " is not known; this version knows " + FORMAT);
      }
      int count = bounded(in.readInt());
      List<String> texts = new ArrayList<>();
      for (int at = 0; at < count; at++) {
        texts.add(in.readUTF());
      }
      int size = bounded(in.readInt());
      List<InventoryRecord> records = new ArrayList<>();
      for (int at = 0; at < size; at++) {
        String group = text(texts, in.readInt());
        String kind = text(texts, in.readInt());
        String namespace = text(texts, in.readInt());
        records.add(
            new InventoryRecord(
                new ObjectKey(group, kind, namespace, in.readUTF()),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong()));
      }
      return records;
    }
  }

  /** Ends with an error behind a number of bytes. */
  private static final class Bounded extends FilterInputStream {
    private long left;

    Bounded(InputStream in, long most) {
      super(in);
      left = most;
    }

    @Override
    public int read() throws IOException {
      int one = super.read();
      take(one < 0 ? 0 : 1);
      return one;
    }

    @Override
    public int read(byte[] into, int at, int length) throws IOException {
      int count = super.read(into, at, length);
      take(Math.max(0, count));
      return count;
    }

    private void take(int bytes) throws IOException {
      left -= bytes;
      if (left < 0) {
        throw new IOException("more than " + MOST_BYTES + " bytes are no shard");
      }
    }
  }

  private static int bounded(int count) throws IOException {
    if (count < 0 || count > MOST_RECORDS) {
      throw new IOException("a count of " + count + " is not possible");
    }
    return count;
  }

  private static String text(List<String> texts, int at) throws IOException {
    if (at < 0 || at >= texts.size()) {
      throw new IOException("name " + at + " of " + texts.size() + " is not possible");
    }
    return texts.get(at);
  }
}
