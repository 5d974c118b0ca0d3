// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.journal.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/**
 * A disk in memory that can fail at every step: the machine stops, or a write is refused. What was
 * written and not forced is lost in parts when the power goes.
 */
public final class SimulatedStorage implements Storage {
  /** The machine stopped. */
  public static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static final int SECTOR = 512;

  private static final class Content {
    byte[] bytes = {};
    byte[] durable = {};
  }

  private final Random random;
  private TreeMap<String, Content> files = new TreeMap<>();
  private int stepsToCrash = Integer.MAX_VALUE;
  private boolean forgetsForces;
  private int refusedWrites;
  private String damaged;
  private volatile Runnable beforeForce = () -> {};

  public SimulatedStorage(Random random) {
    this.random = random;
  }

  /** Stops the machine after so many steps. */
  public void crashAfter(int steps) {
    stepsToCrash = steps;
  }

  /** Does something whenever a file is forced, such as not to return. */
  public void beforeForce(Runnable hook) {
    beforeForce = hook;
  }

  /** Refuses the next writes, as a full disk does. */
  public void refuse(int writes) {
    refusedWrites = writes;
  }

  /** From now on what was forced is lost like everything else, as with a disk that lies. */
  public void forgetForces() {
    forgetsForces = true;
  }

  /** Deletes the files whose names begin so. */
  public void wipe(String prefix) {
    files.keySet().removeIf(name -> name.startsWith(prefix));
  }

  /** Takes away the second half of every file whose name begins so. */
  public void tear(String prefix) {
    files.forEach(
        (name, content) -> {
          if (name.startsWith(prefix)) {
            content.bytes = Arrays.copyOf(content.bytes, content.bytes.length / 2);
          }
        });
  }

  /** The machine starts again. */
  public void restart(boolean powerWasLost) {
    stepsToCrash = Integer.MAX_VALUE;
    refusedWrites = 0;
    for (Content content : files.values()) {
      if (powerWasLost) {
        loseParts(content);
      }
      content.durable = content.bytes.clone();
    }
  }

  /** Each sector that differs from what is durable may have reached the disk or not. */
  private void loseParts(Content content) {
    byte[] survived = Arrays.copyOf(content.durable, content.bytes.length);
    for (int at = 0; at < survived.length; at += SECTOR) {
      if (random.nextBoolean()) {
        int end = Math.min(at + SECTOR, survived.length);
        System.arraycopy(content.bytes, at, survived, at, end - at);
      }
    }
    content.bytes = survived;
  }

  /** Changes a byte of a file, as a broken disk does. */
  void damage(String name, int at) {
    files.get(name).bytes[at] ^= 1;
  }

  public byte[] bytes(String name) {
    return files.get(name).bytes;
  }

  /** Puts other bytes in the place of a file's, or makes one. */
  void replace(String name, byte[] bytes) {
    Content content = files.computeIfAbsent(name, _ -> new Content());
    content.bytes = bytes.clone();
    content.durable = bytes.clone();
  }

  /** Another disk with the same files. */
  SimulatedStorage copy() {
    SimulatedStorage copy = new SimulatedStorage(new Random(1));
    files.forEach((name, content) -> copy.replace(name, content.bytes));
    return copy;
  }

  private void step() {
    if (stepsToCrash-- <= 0) {
      throw new Crash();
    }
  }

  @Override
  public List<String> list() {
    return new ArrayList<>(files.keySet());
  }

  @Override
  public StoredFile create(String name, long bytes) throws IOException {
    step();
    if (refusedWrites > 0) {
      refusedWrites--;
      throw new IOException("No space left on device");
    }
    Content content = new Content();
    content.bytes = new byte[(int) bytes];
    content.durable = new byte[(int) bytes];
    files.put(name, content);
    step();
    return new File(content);
  }

  @Override
  public StoredFile open(String name) {
    return new File(files.get(name));
  }

  /** From now on the files that get a name that begins so have a bit flipped. */
  void damageNew(String prefix) {
    damaged = prefix;
  }

  @Override
  public void rename(String from, String to) {
    step();
    files.put(to, files.remove(from));
    if (damaged != null && to.startsWith(damaged)) {
      damage(to, random.nextInt(files.get(to).bytes.length));
    }
    step();
  }

  @Override
  public void delete(String name) {
    step();
    files.remove(name);
  }

  @Override
  public void close() {}

  private final class File implements StoredFile {
    private final Content content;

    File(Content content) {
      this.content = content;
    }

    @Override
    public long size() {
      return content.bytes.length;
    }

    @Override
    public void read(long position, ByteBuffer into) {
      int bytes = (int) Math.min(into.remaining(), content.bytes.length - position);
      into.put(content.bytes, (int) position, bytes);
    }

    @Override
    public void write(long position, ByteBuffer from) throws IOException {
      int end = (int) position + from.remaining();
      if (content.bytes.length < end) {
        content.bytes = Arrays.copyOf(content.bytes, end);
      }
      boolean crashes = stepsToCrash <= 0;
      boolean refused = !crashes && refusedWrites > 0;
      if (crashes || refused) {
        // A part of it, from the start, was written.
        from.limit(from.position() + random.nextInt(from.remaining() + 1));
      }
      from.get(content.bytes, (int) position, from.remaining());
      step();
      if (refused) {
        refusedWrites--;
        throw new IOException("No space left on device");
      }
    }

    @Override
    public void force() {
      beforeForce.run();
      step();
      if (!forgetsForces) {
        content.durable = content.bytes.clone();
      }
      step();
    }

    @Override
    public void close() {}
  }
}
