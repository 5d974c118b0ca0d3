// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.journal.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
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

    /** Sectors that a force left out when it failed, and that the next one takes for written. */
    final BitSet dropped = new BitSet();

    void force() {
      byte[] before = dropped.isEmpty() ? durable : Arrays.copyOf(durable, bytes.length);
      durable = bytes.clone();
      dropped.stream()
          .filter(sector -> sector * SECTOR < before.length)
          .forEach(
              sector -> {
                int at = sector * SECTOR;
                System.arraycopy(before, at, durable, at, Math.min(SECTOR, before.length - at));
              });
    }

    void failToForce() {
      for (int at = 0; at < bytes.length; at += SECTOR) {
        int end = Math.min(at + SECTOR, bytes.length);
        boolean isSame = end <= durable.length && Arrays.equals(bytes, at, end, durable, at, end);
        dropped.set(at / SECTOR, dropped.get(at / SECTOR) || !isSame);
      }
    }
  }

  private final Random random;
  private TreeMap<String, Content> files = new TreeMap<>();
  private int stepsToCrash = Integer.MAX_VALUE;
  private boolean forgetsForces;
  private int refusedWrites;
  private int callsToFault = Integer.MAX_VALUE;
  private int faults;
  private String fault;
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

  /**
   * Lets calls fail, of whatever kind, after so many that do not.
   *
   * @param calls that fail, one after the other
   * @param text as of the system
   */
  public void failAfter(int goodCalls, int calls, String text) {
    callsToFault = goodCalls;
    faults = calls;
    fault = text;
  }

  /** Whether a call failed since then. */
  boolean hasFailed() {
    return callsToFault < 0;
  }

  private void call() throws IOException {
    if (isFaulty()) {
      throw new IOException(fault);
    }
  }

  private boolean isFaulty() {
    return callsToFault-- <= 0 && faults-- > 0;
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
    callsToFault = Integer.MAX_VALUE;
    for (Content content : files.values()) {
      if (powerWasLost) {
        loseParts(content);
      }
      content.durable = content.bytes.clone();
      content.dropped.clear();
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
    call();
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
  public StoredFile open(String name) throws IOException {
    call();
    return new File(files.get(name));
  }

  /** From now on the files that get a name that begins so have a bit flipped. */
  void damageNew(String prefix) {
    damaged = prefix;
  }

  @Override
  public void rename(String from, String to) throws IOException {
    call();
    step();
    files.put(to, files.remove(from));
    if (damaged != null && to.startsWith(damaged)) {
      damage(to, random.nextInt(files.get(to).bytes.length));
    }
    step();
    call(); // the folder is forced
  }

  @Override
  public void delete(String name) throws IOException {
    call();
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
    public void read(long position, ByteBuffer into) throws IOException {
      call();
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
      boolean faulty = isFaulty();
      boolean refused = !crashes && (faulty || refusedWrites > 0);
      if (crashes || refused) {
        // A part of it, from the start, was written.
        from.limit(from.position() + random.nextInt(from.remaining() + 1));
      }
      if (from.hasRemaining()) {
        content.dropped.clear(
            (int) position / SECTOR, ((int) position + from.remaining() - 1) / SECTOR + 1);
      }
      from.get(content.bytes, (int) position, from.remaining());
      step();
      if (faulty) {
        throw new IOException(fault);
      }
      if (refused) {
        refusedWrites--;
        throw new IOException("No space left on device");
      }
    }

    @Override
    public void force() throws IOException {
      beforeForce.run();
      if (isFaulty()) {
        content.failToForce();
        throw new IOException(fault);
      }
      step();
      if (!forgetsForces) {
        content.force();
      }
      step();
    }

    @Override
    public void close() {}
  }
}
