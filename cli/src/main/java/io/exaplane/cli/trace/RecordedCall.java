// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.trace;

import io.exaplane.cli.etcd.Wire.Reader;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * One call as its messages go by. Requests and answers come on threads of their own, so it locks
 * itself. A message that cannot be read is counted by its bytes.
 */
final class RecordedCall {
  private static final String KEEP_ALIVE = "Lease/LeaseKeepAlive";
  private static final String WATCH = "Watch/Watch";

  private final Recording recording;
  private final String method;
  private final String root;
  private Asked asked;
  private long began;
  private long items;
  private long askedBytes;
  private long answeredBytes;

  /** Watches that were asked for and have no number yet, in their order. */
  private final ArrayDeque<Asked> asking = new ArrayDeque<>();

  private final Map<Long, Asked> watches = new HashMap<>();

  /** When keep-alives were sent that have no answer yet. */
  private final ArrayDeque<Long> keepAlives = new ArrayDeque<>();

  /**
   * @param method as {@code KV/Range}
   * @param root that kube-apiserver's keys begin with
   */
  RecordedCall(Recording recording, String method, String root) {
    this.recording = recording;
    this.method = method;
    this.root = root;
    this.asked = Asked.of(method);
    this.began = recording.nanoTime();
  }

  /** A message of the client. */
  synchronized void request(byte[] message) {
    switch (method) {
      case WATCH -> watchRequest(message);
      case KEEP_ALIVE -> {
        keepAlives.add(recording.nanoTime());
        askedBytes += message.length;
      }
      default -> {
        asked = Asked.of(method, message, root);
        began = recording.nanoTime();
        askedBytes += message.length;
      }
    }
  }

  private void watchRequest(byte[] message) {
    try {
      Reader in = new Reader(message);
      while (in.next()) {
        if (in.field() == 1) {
          Asked watch = Asked.watch(firstBytes(in.message()), root);
          asking.add(watch);
          recording.watched(watch, message.length);
        }
      }
    } catch (IllegalArgumentException e) {
      recording.events(asked, 0, 0); // the store says what is wrong with the message
    }
  }

  private static byte[] firstBytes(Reader in) {
    byte[] key = {};
    while (in.next()) {
      if (in.field() == 1) {
        key = in.bytes();
      }
    }
    return key;
  }

  /** A message of the store. */
  synchronized void answer(byte[] message) {
    switch (method) {
      case WATCH -> watchAnswer(message);
      case KEEP_ALIVE -> {
        Long sent = keepAlives.poll();
        long nanos = sent == null ? 0 : recording.nanoTime() - sent;
        recording.ended(asked, nanos, false, 0, askedBytes, message.length);
        askedBytes = 0;
      }
      default -> {
        answeredBytes += message.length;
        items += items(message);
      }
    }
  }

  /** Objects in an answer, without a look into them. */
  private long items(byte[] message) {
    try {
      return switch (method) {
        case "KV/Range" -> fields(new Reader(message), 2);
        case "KV/RangeStream" -> {
          long all = 0;
          Reader in = new Reader(message);
          while (in.next()) {
            all += in.field() == 1 ? fields(in.message(), 2) : 0;
          }
          yield all;
        }
        case "KV/Txn", "KV/Put" -> 1;
        default -> 0;
      };
    } catch (IllegalArgumentException e) {
      return 0; // what it has is for the client to say
    }
  }

  private static long fields(Reader in, int field) {
    long all = 0;
    while (in.next()) {
      all += in.field() == field ? 1 : 0;
    }
    return all;
  }

  private void watchAnswer(byte[] message) {
    long id = 0;
    boolean isCreated = false;
    boolean isCancelled = false;
    long events = 0;
    try {
      Reader in = new Reader(message);
      while (in.next()) {
        switch (in.field()) {
          case 2 -> id = in.number();
          case 3 -> isCreated = in.number() != 0;
          case 4 -> isCancelled = in.number() != 0;
          case 11 -> events++;
          default -> {}
        }
      }
    } catch (IllegalArgumentException e) {
      events = 0; // the client says so
    }
    if (isCreated && !asking.isEmpty()) {
      watches.put(id, asking.poll());
    }
    recording.events(watches.getOrDefault(id, asked), events, message.length);
    if (isCancelled && watches.remove(id) != null) {
      recording.unwatched(1);
    }
  }

  /** The call is over. */
  synchronized void ended(boolean isFailed) {
    if (method.equals(WATCH)) {
      recording.unwatched(asking.size() + watches.size());
      asking.clear();
      watches.clear();
    } else if (!method.equals(KEEP_ALIVE)) {
      long nanos = recording.nanoTime() - began;
      recording.ended(asked, nanos, isFailed, items, askedBytes, answeredBytes);
    }
  }
}
