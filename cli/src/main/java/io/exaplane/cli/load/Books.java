// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/** Counts what a load sends and gets, phase by phase. Thread-safe. */
final class Books {
  private final LongSupplier nanos;
  private final List<Phase> phases = new ArrayList<>();
  private final Map<String, Watches> watches = new ConcurrentSkipListMap<>();
  private final Map<Operation, String> problems = new ConcurrentSkipListMap<>();
  private volatile Phase current;

  Books(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** A part of a run; {@code end} is 0 while it lasts. */
  private static final class Phase {
    private final String name;
    private final long began;
    private volatile long end;
    private final Map<Operation, Requests> requests = new ConcurrentHashMap<>();

    Phase(String name, long began) {
      this.name = name;
      this.began = began;
    }
  }

  /** Of one operation. */
  private static final class Requests {
    private final Map<Integer, LongAdder> byStatus = new ConcurrentHashMap<>();
    private final LongAdder sentBytes = new LongAdder();
    private final LongAdder receivedBytes = new LongAdder();
    private final Times times = new Times();
  }

  /** Of one resource. */
  private static final class Watches {
    private final AtomicLong open = new AtomicLong();
    private final LongAdder opened = new LongAdder();
    private final LongAdder ended = new LongAdder();
    private final LongAdder events = new LongAdder();
    private final LongAdder bytes = new LongAdder();
  }

  /** Ends the phase before. */
  synchronized void begin(String name) {
    end();
    current = new Phase(name, nanos.getAsLong());
    phases.add(current);
  }

  /** Ends the last phase; what comes later still counts there. */
  synchronized void end() {
    if (current != null && current.end == 0) {
      current.end = nanos.getAsLong();
    }
  }

  /**
   * A request was answered, or a watch began. The times of 429 do not count: many quick refusals
   * would make a server that drowns look fast.
   *
   * @param status 0 for no answer
   * @param tookNanos from the request to the end of the answer, or to the beginning of the watch
   */
  void answered(Operation operation, Answer answer, long tookNanos, long sent, long received) {
    Requests requests = current.requests.computeIfAbsent(operation, each -> new Requests());
    requests.byStatus.computeIfAbsent(answer.status(), each -> new LongAdder()).increment();
    requests.sentBytes.add(sent);
    requests.receivedBytes.add(received);
    if (answer.status() != Answer.TOO_MANY_REQUESTS) {
      requests.times.add(tookNanos);
    }
    boolean isAnswer = operation.verb().equals("get") && answer.status() == Answer.NOT_FOUND;
    if (!answer.isOk() && !isAnswer) {
      problems.computeIfAbsent(operation, each -> answer.words());
    }
  }

  void watchBegan(String resource) {
    Watches of = of(resource);
    of.open.incrementAndGet();
    of.opened.increment();
  }

  void watchEnded(String resource) {
    Watches of = of(resource);
    of.open.decrementAndGet();
    of.ended.increment();
  }

  void event(String resource, long bytes) {
    Watches of = of(resource);
    of.events.increment();
    of.bytes.add(bytes);
  }

  private Watches of(String resource) {
    return watches.computeIfAbsent(resource, each -> new Watches());
  }

  /** Watches that are open. */
  long watching() {
    return watches.values().stream().mapToLong(each -> each.open.get()).sum();
  }

  /** Requests of the current phase with some status. */
  long withStatus(int status) {
    Phase phase = current;
    return phase.requests.values().stream()
        .map(each -> each.byStatus.get(status))
        .mapToLong(count -> count == null ? 0 : count.sum())
        .sum();
  }

  /** All requests of the current phase. */
  long requests() {
    return current.requests.values().stream().mapToLong(Books::total).sum();
  }

  private static long total(Requests requests) {
    return requests.byStatus.values().stream().mapToLong(LongAdder::sum).sum();
  }

  /** The p99 of all requests since the last call, ms. */
  double recentP99() {
    Histogram recent = Latency.histogram();
    current.requests.forEach(
        (operation, each) -> {
          if (!operation.verb().equals("watch")) {
            each.times.drainTo(recent);
          }
        });
    return Latency.of(recent).p99();
  }

  /** The first refusal of each operation. */
  Map<String, String> problems() {
    Map<String, String> all = new TreeMap<>();
    problems.forEach((operation, words) -> all.put(operation.toString(), words));
    return all;
  }

  synchronized List<LoadReport.Phase> phases() {
    return phases.stream().map(this::report).toList();
  }

  private LoadReport.Phase report(Phase phase) {
    double seconds = ((phase.end == 0 ? nanos.getAsLong() : phase.end) - phase.began) / 1e9;
    List<LoadReport.Requests> all = new ArrayList<>();
    new TreeMap<>(phase.requests)
        .forEach(
            (operation, each) -> {
              Map<String, Long> statuses = new TreeMap<>();
              each.byStatus.forEach(
                  (status, count) ->
                      statuses.put(
                          status == Answer.NONE ? "none" : Integer.toString(status), count.sum()));
              long count = total(each);
              all.add(
                  new LoadReport.Requests(
                      operation.verb(),
                      operation.resource(),
                      count,
                      seconds > 0 ? count / seconds : 0,
                      statuses,
                      each.sentBytes.sum(),
                      each.receivedBytes.sum(),
                      each.times.latency()));
            });
    return new LoadReport.Phase(phase.name, seconds, all);
  }

  /**
   * Watches by resource.
   *
   * @param nodes that hold them; 0 if no nodes do
   */
  List<LoadReport.Watches> watches(int nodes) {
    List<LoadReport.Watches> all = new ArrayList<>();
    watches.forEach(
        (resource, each) ->
            all.add(
                new LoadReport.Watches(
                    resource,
                    each.open.get(),
                    nodes == 0 ? null : (double) each.open.get() / nodes,
                    each.opened.sum(),
                    each.ended.sum(),
                    each.events.sum(),
                    each.bytes.sum())));
    return all;
  }
}
