// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import io.exaplane.store.codec.KeyValueReader;
import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.core.request.Slice;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Responses of etcdserverpb as clients read them; a field that a message has not is 0 or empty. */
final class Answer {
  long revision;
  final List<Kv> kvs = new ArrayList<>();
  long count;
  boolean more;
  boolean succeeded;
  long deleted;
  long leaseId;
  final List<Answer> inner = new ArrayList<>();

  /** An event of a watch; {@code now} has key and mod revision only for a deletion. */
  record Event(boolean isDelete, Kv now, Kv before) {}

  /** A response of a watch. */
  record Watch(
      long revision,
      long id,
      boolean created,
      boolean canceled,
      long compactRevision,
      boolean fragment,
      List<Event> events) {}

  static Answer range(ProtoReader in) {
    Answer answer = new Answer();
    for (int field = in.field(); field != 0; field = in.field()) {
      switch (field) {
        case 1 -> answer.revision = header(in);
        case 2 -> answer.kvs.add(kv(in));
        case 3 -> answer.more = in.flag();
        case 4 -> answer.count = in.number();
        default -> in.skip();
      }
    }
    return answer;
  }

  /** A piece of a RangeStream, whose one field is a RangeResponse. */
  static Answer piece(ProtoReader in) {
    in.field();
    int outer = in.enter();
    Answer answer = range(in);
    in.leave(outer);
    return answer;
  }

  /** Put, DeleteRange, Compact, LeaseRevoke: header, and the number behind it if there is one. */
  static Answer simple(ProtoReader in) {
    Answer answer = new Answer();
    for (int field = in.field(); field != 0; field = in.field()) {
      switch (field) {
        case 1 -> answer.revision = header(in);
        case 2 -> answer.deleted = in.number();
        default -> in.skip();
      }
    }
    return answer;
  }

  static Answer grant(ProtoReader in) {
    Answer answer = simple(in);
    answer.leaseId = answer.deleted;
    return answer;
  }

  static Answer txn(ProtoReader in) {
    Answer answer = new Answer();
    for (int field = in.field(); field != 0; field = in.field()) {
      switch (field) {
        case 1 -> answer.revision = header(in);
        case 2 -> answer.succeeded = in.flag();
        case 3 -> {
          int outer = in.enter();
          boolean isRange = in.field() == 1;
          int inner = in.enter();
          answer.inner.add(isRange ? range(in) : simple(in));
          in.leave(inner);
          in.leave(outer);
        }
        default -> in.skip();
      }
    }
    return answer;
  }

  static Watch watch(ProtoReader in) {
    long revision = 0;
    long id = 0;
    boolean created = false;
    boolean canceled = false;
    long compactRevision = 0;
    boolean fragment = false;
    List<Event> events = new ArrayList<>();
    for (int field = in.field(); field != 0; field = in.field()) {
      switch (field) {
        case 1 -> revision = header(in);
        case 2 -> id = in.number();
        case 3 -> created = in.flag();
        case 4 -> canceled = in.flag();
        case 5 -> compactRevision = in.number();
        case 7 -> fragment = in.flag();
        case 11 -> events.add(event(in));
        default -> in.skip();
      }
    }
    return new Watch(revision, id, created, canceled, compactRevision, fragment, events);
  }

  private static Event event(ProtoReader in) {
    int outer = in.enter();
    boolean isDelete = false;
    Kv now = null;
    Kv before = null;
    for (int field = in.field(); field != 0; field = in.field()) {
      switch (field) {
        case 1 -> isDelete = in.number() == 1;
        case 2 -> now = kv(in);
        case 3 -> before = kv(in);
        default -> in.skip();
      }
    }
    in.leave(outer);
    return new Event(isDelete, now, before);
  }

  private static long header(ProtoReader in) {
    int outer = in.enter();
    long revision = in.numberOf(3);
    in.leave(outer);
    return revision;
  }

  private static Kv kv(ProtoReader in) {
    int outer = in.enter();
    KeyValueReader kv = new KeyValueReader();
    kv.read(in);
    in.leave(outer);
    return new Kv(text(kv.key), text(kv.value), kv.create, kv.mod, kv.version, kv.lease);
  }

  private static String text(Slice slice) {
    return new String(slice.copy(), StandardCharsets.ISO_8859_1);
  }
}
