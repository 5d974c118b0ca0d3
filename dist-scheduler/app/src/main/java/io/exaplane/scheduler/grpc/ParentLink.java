// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.grpc;

import io.exaplane.scheduler.proto.Down;
import io.exaplane.scheduler.proto.TreeGrpc;
import io.exaplane.scheduler.proto.Up;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.List;
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

  /** How long a root that is gone is remembered, so that an older one is not followed. */
  private static final long REMEMBERED_NS = TimeUnit.SECONDS.toNanos(60);

  private final List<TreeAddress> parents;
  private final TreeTls tls;
  private final Function<Consumer<io.exaplane.scheduler.tree.Up>, Child> children;
  private volatile boolean stopped;
  private long highestEpoch;
  private long heardOfItNs;

  /** What this process is while it has a way up. */
  public interface Child {
    /** Says who it is. */
    void introduce();

    /**
     * Something came from above.
     *
     * @return why it is no member any more, or null
     */
    String down(io.exaplane.scheduler.tree.Down message);

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
      List<TreeAddress> parents,
      TreeTls tls,
      Function<Consumer<io.exaplane.scheduler.tree.Up>, Child> children) {
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
        boolean wasMember = false;
        for (int i = 0; i < parents.size() && !wasMember && !stopped; i++) {
          wasMember = follow(parents.get(i));
        }
        pauseMs = wasMember ? PAUSE_MS : Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
        Thread.sleep(pauseMs / 2 + ThreadLocalRandom.current().nextLong(pauseMs));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns whether it was a member on this way. */
  private boolean follow(TreeAddress parent) throws InterruptedException {
    ManagedChannel channel =
        Grpc.newChannelBuilderForAddress(parent.host(), parent.port(), tls.ofClient())
            .maxInboundMessageSize(TreeServer.LARGEST_MESSAGE)
            .keepAliveTime(2, TimeUnit.SECONDS)
            .keepAliveTimeout(2, TimeUnit.SECONDS)
            .build();
    Way way = new Way(parent);
    try {
      TreeGrpc.newStub(channel).join(way);
      way.begin();
      while (!way.ended.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
        if (way.isSilent()) {
          way.end("nothing is heard any more");
        }
      }
    } finally {
      way.end("it ends");
      channel.shutdownNow();
      if (way.child != null) {
        way.child.ended();
      }
    }
    return way.epoch > 0;
  }

  /** One stream. */
  private final class Way implements ClientResponseObserver<Up, Down> {
    private final TreeAddress parent;
    private final CountDownLatch ended = new CountDownLatch(1);
    private ClientCallStreamObserver<Up> to;
    private volatile Child child;
    private volatile long heardNs = System.nanoTime();
    private volatile boolean busy;
    private volatile long epoch;

    Way(TreeAddress parent) {
      this.parent = parent;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<Up> stream) {
      to = stream;
    }

    void begin() {
      child = children.apply(this::send);
      child.introduce();
    }

    private synchronized void send(io.exaplane.scheduler.tree.Up message) {
      if (ended.getCount() > 0) {
        to.onNext(UpWire.of(message));
      }
    }

    boolean isSilent() {
      return !busy && System.nanoTime() - heardNs > SILENT_NS;
    }

    @Override
    public void onNext(Down message) {
      busy = true;
      try {
        String why = child.down(DownWire.of(message));
        if (why != null) {
          end(why);
        } else if (epoch == 0 && child.epoch() > 0) {
          welcomed(child.epoch());
        }
      } catch (RuntimeException e) {
        LOG.errorf(e, "what %s said makes no sense; it is asked for everything anew", parent);
        end(e.toString());
      } finally {
        heardNs = System.nanoTime();
        busy = false;
      }
    }

    private void welcomed(long of) {
      long now = System.nanoTime();
      if (of < highestEpoch && now - heardOfItNs < REMEMBERED_NS) {
        end(
            "its root, of epoch %d, is older than one that was there, of %d"
                .formatted(of, highestEpoch));
        return;
      }
      epoch = of;
      highestEpoch = of;
      heardOfItNs = now;
      LOG.infof("a member of the tree of epoch %d by %s", of, parent);
    }

    void end(String why) {
      synchronized (this) {
        if (ended.getCount() == 0) {
          return;
        }
        ended.countDown();
      }
      if (epoch > 0) {
        heardOfItNs = System.nanoTime();
        LOG.infof("no member any more by %s: %s", parent, why);
      } else {
        LOG.debugf("%s: %s", parent, why);
      }
      to.cancel(why, null);
    }

    @Override
    public void onError(Throwable trouble) {
      Status status = Status.fromThrowable(trouble);
      String description = status.getDescription();
      end(status.getCode() + (description == null ? "" : ": " + description));
    }

    @Override
    public void onCompleted() {
      end("it was ended");
    }
  }
}
