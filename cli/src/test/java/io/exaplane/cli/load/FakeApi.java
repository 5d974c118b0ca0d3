// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import io.exaplane.cli.etcd.Wire;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * An API that answers after a fixed time: it creates everything and renews everything, unless a
 * test has put another answer first. Watches stay open until a test ends them. Used by one thread.
 */
final class FakeApi implements Api {
  private static final byte[] OBJECT =
      LeaseBody.created(
          "kube-node-lease", "n", "", Map.of(), Duration.ofSeconds(40), Instant.EPOCH);

  private final FakeTimer timer;
  private final long tookNanos;
  private final Map<String, Deque<Answer>> planned = new TreeMap<>();
  private final List<Sent> sent = new ArrayList<>();
  private final List<Stream> streams = new ArrayList<>();

  /** A request and when it was sent, ns. */
  record Sent(long at, Call call) {}

  /** A watch that was opened. */
  record Stream(Call call, Watcher watcher) {}

  FakeApi(FakeTimer timer, Duration took) {
    this.timer = timer;
    this.tookNanos = took.toNanos();
  }

  /** A list of nothing, at revision 5. */
  static Answer list() {
    byte[] meta = new Wire.Writer().bytes(2, Kube.utf8("5")).end();
    byte[] body = Kube.wrapped("v1", "PodList", new Wire.Writer().bytes(1, meta).end());
    return new Answer(200, body, -1, "");
  }

  private static Answer usual(String operation) {
    if (operation.startsWith("list ")) {
      return list();
    }
    return answer(operation.equals("get leases") ? Answer.NOT_FOUND : 200);
  }

  static Answer answer(int status) {
    return new Answer(status, status / 100 == 2 ? OBJECT : new byte[0], -1, "");
  }

  /** The next answers to requests of an operation, as "update leases". */
  void plan(String operation, Answer... answers) {
    planned.computeIfAbsent(operation, each -> new ArrayDeque<>()).addAll(List.of(answers));
  }

  List<Sent> sent(Predicate<Call> which) {
    return sent.stream().filter(each -> which.test(each.call())).toList();
  }

  /** Verb and resource of all requests, in their order. */
  List<String> operations() {
    return sent.stream().map(each -> each.call().operation().toString()).toList();
  }

  List<Stream> streams() {
    return streams;
  }

  @Override
  public void send(Call call, Consumer<Answer> then) {
    sent.add(new Sent(timer.nanos(), call));
    String operation = call.operation().toString();
    Deque<Answer> first = planned.get(operation);
    Answer answer = first != null && !first.isEmpty() ? first.remove() : usual(operation);
    timer.after(tookNanos, () -> then.accept(answer));
  }

  @Override
  public Runnable open(Call call, Watcher watcher) {
    sent.add(new Sent(timer.nanos(), call));
    streams.add(new Stream(call, watcher));
    return () -> {};
  }
}
