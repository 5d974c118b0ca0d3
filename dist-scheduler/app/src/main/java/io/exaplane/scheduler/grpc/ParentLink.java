// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.grpc;

import io.exaplane.scheduler.tree.Down;
import io.exaplane.scheduler.tree.TreeCodec;
import io.exaplane.scheduler.tree.Up;
import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jboss.logging.Logger;

/**
 * The way up: it goes to the first parent that takes this process, and when that way ends, or
 * nothing is heard on it any more, to the first that does then. {@link #run} has a thread of its
 * own.
 */
public final class ParentLink implements Runnable {
  private static final Logger LOG = Logger.getLogger(ParentLink.class);
  private static final long SILENT_NS = TimeUnit.SECONDS.toNanos(3);
  private static final long LOOK_MS = 250;
  private static final long PAUSE_MS = 100;
  private static final long LONGEST_PAUSE_MS = 1000;

  /** Who was a member for less than that did not get on with the root. */
  private static final long SHORT_NS = TimeUnit.SECONDS.toNanos(3);

  /** So often it is looked whether a better parent is there. */
  private static final long BETTER_NS = TimeUnit.SECONDS.toNanos(30);

  private static final long PROBE_MS = 1000;

  private static final String EARLIER =
      "the parent has another version of the tree's protocol; run all processes of the scheduler in the"
          + " same version";

  private final List<TreeAddress> parents;
  private final TreeTls tls;
  private final Function<Consumer<Up>, Child> children;
  private final Map<TreeAddress, String> troubles = new ConcurrentHashMap<>();
  private volatile boolean stopped;

  /** What this process is while it has a way up. */
  public interface Child {
    /** Says who it is. */
    void introduce();

    /**
     * Something came from above.
     *
     * @return why it is no member any more, or null
     */
    String down(Down message);

    /** The root's; 0 while it is not known. */
    long epoch();

    /** The way up ended. */
    void ended();
  }

  /**
   * To one of these.
   *
   * @param parents the best first
   * @param children makes what this process is on a way up, which it is given
   */
  public ParentLink(
      List<TreeAddress> parents, TreeTls tls, Function<Consumer<Up>, Child> children) {
    this.parents = List.copyOf(parents);
    this.tls = tls;
    this.children = children;
  }

  /** Ends {@link #run}; who calls it interrupts its thread. */
  public void stop() {
    stopped = true;
  }

  @Override
  public void run() {
    long pauseMs = PAUSE_MS;
    try {
      while (!stopped) {
        boolean gotOn = false;
        for (int i = 0; i < parents.size() && !gotOn && !stopped; i++) {
          gotOn = follow(i);
        }
        pauseMs = gotOn ? PAUSE_MS : Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
        Thread.sleep(pauseMs / 2 + ThreadLocalRandom.current().nextLong(pauseMs));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns whether it was a member on this way for a while. */
  private boolean follow(int number) throws InterruptedException {
    TreeAddress parent = parents.get(number);
    ManagedChannel channel = channel(parent);
    Way way = new Way(parent);
    try {
      open(channel, way);
      way.begin();
      long lookNs = System.nanoTime() + ThreadLocalRandom.current().nextLong(BETTER_NS);
      while (!way.ended.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
        if (way.isSilent()) {
          way.end("the parent was silent for too long");
        } else if (number > 0 && System.nanoTime() - lookNs > BETTER_NS) {
          lookNs = System.nanoTime();
          if (isBetterThere(number)) {
            way.end("a better parent accepts this process");
          }
        }
      }
    } finally {
      way.end("this process left");
      channel.shutdownNow();
      way.child.ended();
    }
    return way.gotOn();
  }

  private static void open(ManagedChannel channel, ClientResponseObserver<byte[], byte[]> stream) {
    ClientCalls.asyncBidiStreamingCall(
        channel.newCall(TreeMethod.JOIN, CallOptions.DEFAULT), stream);
  }

  private ManagedChannel channel(TreeAddress parent) {
    return Grpc.newChannelBuilderForAddress(parent.host(), parent.port(), tls.ofClient())
        .maxInboundMessageSize(TreeServer.LARGEST_MESSAGE)
        .keepAliveTime(TreeServer.KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
        .keepAliveTimeout(TreeServer.KEEP_ALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .build();
  }

  /** Whether one of the parents before this one takes children. */
  private boolean isBetterThere(int number) throws InterruptedException {
    for (TreeAddress better : parents.subList(0, number)) {
      ManagedChannel channel = channel(better);
      try {
        Probe probe = new Probe();
        open(channel, probe);
        boolean connects = probe.isTaken();
        if (connects && !probe.ended.await(PROBE_MS, TimeUnit.MILLISECONDS)) {
          return true;
        }
      } finally {
        channel.shutdownNow();
      }
    }
    return false;
  }

  /** A stream on which nothing is said: who takes no children ends it at once. */
  private static final class Probe implements ClientResponseObserver<byte[], byte[]> {
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CountDownLatch ready = new CountDownLatch(1);

    @Override
    public void beforeStart(ClientCallStreamObserver<byte[]> stream) {
      stream.setOnReadyHandler(ready::countDown);
    }

    /** Whether there is a connection. */
    boolean isTaken() throws InterruptedException {
      return ready.await(PROBE_MS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void onNext(byte[] message) {}

    @Override
    public void onError(Throwable trouble) {
      ended.countDown();
    }

    @Override
    public void onCompleted() {
      ended.countDown();
    }
  }

  /** One stream. */
  private final class Way implements ClientResponseObserver<byte[], byte[]> {
    private final TreeAddress parent;
    private final CountDownLatch ended = new CountDownLatch(1);
    private ClientCallStreamObserver<byte[]> to;
    private final Child child;
    private volatile long heardNs = System.nanoTime();
    private volatile boolean busy;
    private volatile boolean member;
    private volatile long memberNs;

    Way(TreeAddress parent) {
      this.parent = parent;
      child = children.apply(this::send);
    }

    boolean gotOn() {
      return member && System.nanoTime() - memberNs > SHORT_NS;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<byte[]> stream) {
      to = stream;
    }

    void begin() {
      child.introduce();
    }

    private synchronized void send(Up message) {
      if (ended.getCount() > 0) {
        to.onNext(TreeCodec.encode(message));
      }
    }

    boolean isSilent() {
      return !busy && System.nanoTime() - heardNs > SILENT_NS;
    }

    @Override
    public void onNext(byte[] message) {
      if (ended.getCount() == 0) {
        return;
      }
      busy = true;
      try {
        String why = child.down(TreeCodec.down(message));
        if (why != null) {
          end(why);
        } else if (!member && child.epoch() > 0) {
          memberNs = System.nanoTime();
          member = true;
          troubles.clear();
          LOG.infof("joined the tree of epoch %d at %s", child.epoch(), parent);
        }
      } catch (RuntimeException e) {
        LOG.errorf(
            e, "a message of %s is invalid; this process joins again and reads everything", parent);
        end(e.toString());
      } finally {
        heardNs = System.nanoTime();
        busy = false;
      }
    }

    void end(String why) {
      synchronized (this) {
        if (ended.getCount() == 0) {
          return;
        }
        ended.countDown();
      }
      boolean isNews = !stopped && !why.equals(troubles.put(parent, why));
      if (member) {
        LOG.infof("left the tree at %s: %s", parent, why);
      } else if (isNews) {
        LOG.warnf("%s does not accept this process: %s; this process tries again", parent, why);
      }
      to.cancel(why, null);
    }

    @Override
    public void onError(Throwable trouble) {
      Status status = Status.fromThrowable(trouble);
      if (status.getCode() == Status.Code.UNIMPLEMENTED) {
        end(EARLIER);
        return;
      }
      String description = status.getDescription();
      Throwable cause = status.getCause();
      end(
          status.getCode()
              + (description == null ? "" : ": " + description)
              + (cause == null ? "" : ": " + cause.getMessage()));
    }

    @Override
    public void onCompleted() {
      end("the parent ended the stream");
    }
  }
}
