// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Writes and reads keys that are nobody else's, one request at a time, and knows what they may
 * hold. A request that is refused is sent again; one whose connection is lost was done or was not.
 */
final class MoveClient {
  private static final String ABSENT = "";

  private final int number;
  private final Random random;
  private final List<String> keys;
  private final MoveConnection connection;
  private final Map<String, Set<String>> possible = new HashMap<>();
  private Op op;
  private long newest;
  private int written;
  private String finding;

  MoveClient(int number, Random random, Supplier<MoveSide> route) {
    this.number = number;
    this.random = random;
    this.connection = new MoveConnection(route);
    this.keys =
        List.of("a", "b", "c").stream()
            .map(each -> MoveSide.PREFIX + "%s/%d".formatted(each, number))
            .toList();
    keys.forEach(key -> possible.put(key, new TreeSet<>(Set.of(ABSENT))));
  }

  /** What is wrong, or null. */
  String finding() {
    return finding;
  }

  boolean isWaiting() {
    return op != null;
  }

  /** What its keys may hold; {@link #ABSENT} if they may not exist. */
  Map<String, Set<String>> possible() {
    return possible;
  }

  /**
   * Looks for the answer, or asks something.
   *
   * @param mayBegin whether it asks for something new
   */
  void step(boolean mayBegin) {
    if (op == null) {
      if (connection.isLost()) {
        connection.connect();
      }
      if (mayBegin) {
        op = next();
        send();
      }
    } else if (op.answer != null) {
      answered();
      op = null;
    } else if (connection.isLost()) {
      mayHaveBeenDone();
      op = null;
      connection.connect();
    } else if (op.error != null) {
      if (connection.asksAgain(op.error)) {
        op = new Op(op.kind, op.keys, op.end, op.value, 0, 0, 0);
        send();
      } else {
        finding = "client %d: %s".formatted(number, op);
        op = null;
      }
    }
  }

  private Op next() {
    String key = keys.get(random.nextInt(keys.size()));
    String value = "%d-%d-%s".formatted(number, ++written, "v".repeat(random.nextInt(60)));
    return switch (random.nextInt(8)) {
      case 0, 1 -> new Op(Op.Kind.RANGE, List.of(key), "", "", 0, 0, 0);
      case 2 -> new Op(Op.Kind.DELETE, List.of(key), "", "", 0, 0, 0);
      case 3 -> new Op(Op.Kind.MULTI, keys, "", value, 0, 0, 0);
      default -> new Op(Op.Kind.PUT, List.of(key), "", value, 0, 0, 0);
    };
  }

  private void send() {
    Op sent = op;
    MoveSide side = connection.side();
    int loop = number % side.store().loops();
    Answers answers = new Answers(sent, new Requests.Known(), null);
    SimulatedCall call = new SimulatedCall(side.store().loop(loop), answers::take, answers::failed);
    byte[] request = sent.encode();
    side.store()
        .method(sent.kind.path)
        .open(call, side.store().lane(loop))
        .message(request, 0, request.length);
  }

  private void answered() {
    if (op.answer.revision < newest) {
      finding =
          "client %d saw revision %d of store %s after %d: %s"
              .formatted(number, op.answer.revision, connection.side().name, newest, op);
    }
    newest = op.answer.revision;
    switch (op.kind) {
      case RANGE -> read();
      case DELETE -> possible.put(op.key(), new TreeSet<>(Set.of(ABSENT)));
      default -> op.keys.forEach(key -> possible.put(key, new TreeSet<>(Set.of(op.value))));
    }
  }

  private void read() {
    String value = op.answer.kvs.isEmpty() ? ABSENT : op.answer.kvs.getFirst().value();
    if (!possible.get(op.key()).contains(value)) {
      finding =
          "client %d read '%s' from store %s where %s was to be: %s"
              .formatted(number, value, connection.side().name, possible.get(op.key()), op);
    }
    possible.put(op.key(), new TreeSet<>(Set.of(value)));
  }

  private void mayHaveBeenDone() {
    if (op.kind != Op.Kind.RANGE) {
      String value = op.kind == Op.Kind.DELETE ? ABSENT : op.value;
      op.keys.forEach(key -> possible.get(key).add(value));
    }
  }
}
