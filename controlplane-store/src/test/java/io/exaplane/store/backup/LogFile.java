// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

import io.exaplane.store.codec.ReverseWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/** A segment of an etcd's log, frame by frame as server/storage/wal/encoder.go writes them. */
final class LogFile {
  private static final int TERM = 2;
  private static final int SPACE = 1 << 16;

  private final Castagnoli sum = new Castagnoli();
  private ByteBuffer log = ByteBuffer.allocate(SPACE).order(ByteOrder.LITTLE_ENDIAN);
  private int lastFrame;

  LogFile() {
    frame(4, new byte[0], 0);
  }

  /** Of a member, with so many requests from entry 1 on. */
  static LogFile entries(int count) {
    LogFile log = new LogFile().metadata(EtcdFile.MEMBER);
    for (int i = 1; i <= count; i++) {
      log.entry(i, EtcdFile.request(false));
    }
    return log;
  }

  /** A log whose first segment lacks what every segment begins with. */
  static LogFile headless() {
    LogFile log = new LogFile();
    log.log.clear();
    return log;
  }

  LogFile metadata(long member) {
    ReverseWriter out = new ReverseWriter();
    out.number(2, 4712);
    out.number(1, member);
    return summed(1, out.copy());
  }

  LogFile entry(long index, byte[] request) {
    ReverseWriter out = new ReverseWriter();
    out.bytes(4, request, 0, request.length);
    out.number(3, index);
    out.number(2, TERM);
    return summed(2, out.copy());
  }

  LogFile snapshot(long index) {
    ReverseWriter out = new ReverseWriter();
    out.number(2, TERM);
    out.number(1, index);
    return summed(5, out.copy());
  }

  private LogFile summed(int type, byte[] data) {
    sum.update(data, 0, data.length);
    return frame(type, data, sum.sum());
  }

  private LogFile frame(int type, byte[] data, int ofSum) {
    ReverseWriter out = new ReverseWriter();
    if (data.length > 0) {
      out.bytes(3, data, 0, data.length);
    }
    out.number(2, Integer.toUnsignedLong(ofSum));
    out.number(1, type);
    byte[] frame = out.copy();
    long padding = -frame.length & 7;
    lastFrame = log.position();
    log.putLong(padding == 0 ? frame.length : frame.length | (0x80 | padding) << 56);
    log.put(frame).put(new byte[(int) padding]);
    return this;
  }

  /** Where the last frame begins, and where it ends. */
  int lastFrame() {
    return lastFrame;
  }

  int end() {
    return log.position();
  }

  /** Writes the segment with the room behind it that etcd gives it; the next one goes on. */
  Path write(Path folder, long number, long firstIndex) throws IOException {
    Files.createDirectories(folder);
    Path file = folder.resolve("%016x-%016x.wal".formatted(number, firstIndex));
    Files.write(file, log.array());
    log = ByteBuffer.allocate(SPACE).order(ByteOrder.LITTLE_ENDIAN);
    frame(4, new byte[0], sum.sum());
    return file;
  }
}
