// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import io.exaplane.store.stats.Histogram.Times;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;

/**
 * The methods that a server has, by their path. Filled before the server starts, then read by every
 * event loop.
 *
 * @param <L> what the services keep for each event loop
 */
public final class GrpcServices<L> {
  private static final CharSequence CONTENT_TYPE = AsciiString.cached("content-type");

  private static final String TOO_MANY = "etcdserver: too many requests";

  private record Method<L>(int number, GrpcMethod<L> method) {}

  private final Map<CharSequence, Method<L>> methods = new HashMap<>();
  private final List<String> paths = new ArrayList<>();
  private final List<CallCounters[]> counters = new CopyOnWriteArrayList<>();
  private final AtomicLong partialBytes = new AtomicLong();
  private final Limits limits;

  /**
   * Bounds of connections.
   *
   * @param maxMessageBytes the largest message that a client may send
   * @param drainMs how long calls may go on after the server was asked to stop
   * @param keepAliveMs a client that was silent for so long is asked whether it is there
   * @param keepAliveTimeoutMs and let go if it has not answered after so long
   * @param maxStreams calls that may be open on one connection
   * @param maxCalls calls that may be open on all connections
   */
  public record Limits(
      int maxMessageBytes,
      long drainMs,
      long keepAliveMs,
      long keepAliveTimeoutMs,
      int maxStreams,
      int maxCalls) {}

  public GrpcServices(Limits limits) {
    this.limits = limits;
  }

  /** Adds a method, as {@code /etcdserverpb.KV/Range}. */
  public void add(String path, GrpcMethod<L> method) {
    methods.put(AsciiString.cached(path), new Method<>(paths.size(), method));
    paths.add(path);
  }

  /** The method of a path; null if there is none. */
  public GrpcMethod<L> method(String path) {
    Method<L> method = methods.get(AsciiString.of(path));
    return method == null ? null : method.method();
  }

  /** Counters of every method, for one event loop. */
  CallCounters[] newCounters() {
    CallCounters[] made = new CallCounters[paths.size()];
    Arrays.setAll(made, i -> new CallCounters());
    counters.add(made);
    return made;
  }

  /** The calls of every method so far. By any thread. */
  public List<CallStatistics> statistics() {
    List<CallStatistics> all = new ArrayList<>();
    for (int i = 0; i < paths.size(); i++) {
      int method = i;
      long[] handled = new long[CallCounters.CODES];
      Arrays.setAll(handled, code -> sum(method, c -> c.handled(code).get()));
      Times times =
          counters.stream().map(each -> each[method].times.times()).reduce(Times.NONE, Times::plus);
      all.add(
          new CallStatistics(
              paths.get(method),
              sum(method, c -> c.started.get()),
              handled,
              times,
              sum(method, c -> c.receivedMessages.get()),
              sum(method, c -> c.sentMessages.get()),
              sum(method, c -> c.receivedBytes.get()),
              sum(method, c -> c.sentBytes.get())));
    }
    return all;
  }

  private long sum(int method, ToLongFunction<CallCounters> value) {
    return counters.stream().mapToLong(each -> value.applyAsLong(each[method])).sum();
  }

  /** What unfinished messages of all connections take. */
  AtomicLong partialBytes() {
    return partialBytes;
  }

  Limits limits() {
    return limits;
  }

  void open(
      GrpcCall call, Http2Headers headers, L lane, CallCounters[] counted, boolean isTooMany) {
    CharSequence type = headers.get(CONTENT_TYPE);
    CharSequence path = headers.path();
    Method<L> method = path == null ? null : methods.get(path);
    if (type == null || !AsciiString.of(type).startsWith("application/grpc")) {
      call.refuseType(
          "invalid gRPC request content-type \"%s\"".formatted(type == null ? "" : type));
    } else if (!HttpMethod.POST.asciiName().contentEquals(headers.method())) {
      call.refuseMethod(headers.method());
    } else if (method == null) {
      call.fail(GrpcStatus.UNIMPLEMENTED, unknown(path == null ? "" : path.toString()));
    } else if (isTooMany) {
      call.fail(GrpcStatus.RESOURCE_EXHAUSTED, TOO_MANY);
    } else {
      call.counters(counted[method.number()]);
      call.open(method.method(), headers, lane, limits.maxMessageBytes());
    }
  }

  /** As grpc-go says it. */
  private String unknown(String path) {
    int slash = path.lastIndexOf('/');
    if (slash < 1) {
      return "malformed method name: \"%s\"".formatted(path);
    }
    String service = path.substring(1, slash);
    boolean isKnown = paths.stream().anyMatch(each -> each.startsWith("/" + service + "/"));
    return isKnown
        ? "unknown method %s for service %s".formatted(path.substring(slash + 1), service)
        : "unknown service %s".formatted(service);
  }
}
