// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.etcd;

import io.exaplane.cli.etcd.Wire.Reader;
import io.exaplane.cli.etcd.Wire.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The requests and answers of etcd v3 that are needed here. Pure. */
final class EtcdMessages {
  private static final int NOSPACE = 1;
  private static final int DEACTIVATE = 2;

  private EtcdMessages() {}

  /**
   * Keys without their values.
   *
   * @param more whether there are more behind the last one
   */
  record KeyPage(List<byte[]> keys, boolean more, long revision) {}

  record Deleted(long count, long revision) {}

  /** Any member may answer, also one without a majority: who looks for a way out may have one. */
  static byte[] keys(KeyRange range, int limit) {
    return new Writer()
        .bytes(1, range.from())
        .bytes(2, range.end())
        .number(3, limit)
        .flag(7, true)
        .flag(8, true)
        .end();
  }

  static KeyPage keyPage(byte[] answer) {
    List<byte[]> keys = new ArrayList<>();
    boolean more = false;
    long revision = 0;
    Reader in = new Reader(answer);
    while (in.next()) {
      switch (in.field()) {
        case 1 -> revision = revision(in.message());
        case 2 -> keys.add(key(in.message()));
        case 3 -> more = in.number() != 0;
        default -> {}
      }
    }
    return new KeyPage(keys, more, revision);
  }

  private static byte[] key(Reader in) {
    byte[] key = {};
    while (in.next()) {
      if (in.field() == 1) {
        key = in.bytes();
      }
    }
    return key;
  }

  /** One key with its value. */
  static byte[] get(byte[] key) {
    return new Writer().bytes(1, key).flag(7, true).end();
  }

  /** Bytes of the key and the value in the answer; 0 if it is gone. */
  static long size(byte[] answer) {
    long size = 0;
    Reader in = new Reader(answer);
    while (in.next()) {
      if (in.field() == 2) {
        size += in.bytes().length;
      }
    }
    return size;
  }

  static byte[] delete(KeyRange range) {
    return new Writer().bytes(1, range.from()).bytes(2, range.end()).end();
  }

  static Deleted deleted(byte[] answer) {
    long count = 0;
    long revision = 0;
    Reader in = new Reader(answer);
    while (in.next()) {
      switch (in.field()) {
        case 1 -> revision = revision(in.message());
        case 2 -> count = in.number();
        default -> {}
      }
    }
    return new Deleted(count, revision);
  }

  /** The answer comes when what was compacted is gone. */
  static byte[] compact(long revision) {
    return new Writer().number(1, revision).flag(2, true).end();
  }

  static StoreStatus status(byte[] answer) {
    String version = "";
    long bytes = 0;
    long used = 0;
    long quota = 0;
    long revision = 0;
    Reader in = new Reader(answer);
    while (in.next()) {
      switch (in.field()) {
        case 1 -> revision = revision(in.message());
        case 2 -> version = new String(in.bytes(), StandardCharsets.UTF_8);
        case 3 -> bytes = in.number();
        case 9 -> used = in.number();
        case 12 -> quota = in.number();
        default -> {}
      }
    }
    return new StoreStatus(version, bytes, used, quota, revision);
  }

  /** Asks for the alarms that there are. */
  static byte[] alarms() {
    return new byte[0];
  }

  static byte[] endAlarm(long member) {
    return new Writer().number(1, DEACTIVATE).number(2, member).number(3, NOSPACE).end();
  }

  /** Members that refuse writes for want of space. */
  static List<Long> membersWithoutSpace(byte[] answer) {
    List<Long> members = new ArrayList<>();
    Reader in = new Reader(answer);
    while (in.next()) {
      if (in.field() == 2) {
        long member = 0;
        long alarm = 0;
        Reader each = in.message();
        while (each.next()) {
          member = each.field() == 1 ? each.number() : member;
          alarm = each.field() == 2 ? each.number() : alarm;
        }
        if (alarm == NOSPACE) {
          members.add(member);
        }
      }
    }
    return List.copyOf(members);
  }

  private static long revision(Reader header) {
    long revision = 0;
    while (header.next()) {
      revision = header.field() == 3 ? header.number() : revision;
    }
    return revision;
  }
}
