// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.root;

import io.exaplane.scheduler.commit.Committer;
import io.exaplane.scheduler.commit.Notice;
import io.exaplane.scheduler.commit.PodRef;
import io.exaplane.scheduler.commit.PodStatus;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.ObjectReader;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.queue.Gate;
import io.exaplane.scheduler.engine.queue.Intake;
import io.exaplane.scheduler.engine.queue.Rules;
import io.exaplane.scheduler.engine.queue.SchedulingQueue;
import io.exaplane.scheduler.engine.queue.Waiting;
import io.exaplane.scheduler.gather.Gatherer;
import io.exaplane.scheduler.gather.Picture;
import io.exaplane.scheduler.kube.ApiStream;
import io.exaplane.scheduler.kube.ObjectListener;
import io.exaplane.scheduler.kube.Pace;
import io.exaplane.scheduler.kube.Reflector;
import io.exaplane.scheduler.kube.Resource;
import io.exaplane.scheduler.relay.Hub;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;

/**
 * A whole scheduler in one process: it reads all that decides, decides about the pods that name it,
 * one after another, and has that written. It has a thread of its own, {@link #run}, to which
 * cluster and queue belong; the other methods are for any.
 */
public final class Root implements Runnable, AutoCloseable {
  private static final Logger LOG = Logger.getLogger(Root.class);
  private static final long TICK_MS = 100;
  private static final long WAITS_END_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long PATIENCE_ENDS_NS = TimeUnit.SECONDS.toNanos(30);
  private static final long LONGEST_ROUND_NS = TimeUnit.MINUTES.toNanos(3);
  private static final long LOOK_FOR_SILENCE_NS = TimeUnit.SECONDS.toNanos(5);

  /** What is told comes before what is to be decided, but not for ever. */
  private static final int MOST_TOLD = 1024;

  private static final int MOST_TURNS = 64;
  private static final long TURNS_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Inbox inbox = new Inbox();
  private final Cluster cluster;
  private final List<Resource> resources;
  private final SchedulingQueue queue;
  private final Intake intake;
  private final Turns turns;
  private final Committer committer;
  private final Map<String, Profile> profiles = new HashMap<>();
  private final Evictions evictions;
  private final Gatherer gatherer;
  private final Hub hub;

  private final List<Reflector> reflectors = new ArrayList<>();
  private final List<Thread> readers = new ArrayList<>();
  private final LongSupplier nowNs;
  private final Timer waits = new Timer(WAITS_END_NS);
  private final Timer patience = new Timer(PATIENCE_ENDS_NS);
  private final Timer silence = new Timer(LOOK_FOR_SILENCE_NS);
  private volatile boolean inStep;
  private volatile Waiting waiting = Waiting.NONE;
  private volatile long roundNs;
  private volatile boolean stopped;
  private volatile Thread runner;

  /** What is to be done now and then. */
  private static final class Timer {
    private final long everyNs;
    private long lastNs;

    Timer(long everyNs) {
      this.everyNs = everyNs;
    }

    boolean isDue(long nowNs) {
      boolean due = nowNs - lastNs >= everyNs;
      lastNs = due ? nowNs : lastNs;
      return due;
    }
  }

  /**
   * A scheduler.
   *
   * @param committer writes; the caller's to close after this one
   * @param nowNs nanoseconds since 1970, never less than before
   * @param tree null if nobody is below it
   * @param durations is told how long things take
   */
  public Root(
      RootConfig config,
      ApiStream api,
      Pace pace,
      Committer committer,
      LongSupplier nowNs,
      Tree tree,
      Durations durations) {
    this.committer = committer;
    this.nowNs = nowNs;
    cluster = new Cluster(config.compiler());
    Map<String, Rules> rules = new HashMap<>();
    for (Profile profile : config.profiles()) {
      profiles.put(profile.schedulerName(), profile);
      rules.put(profile.schedulerName(), rules(profile));
    }
    queue = new SchedulingQueue(rules, config.backoff(), config.patience().toNanos());
    evictions = new Evictions(cluster, queue);
    intake = new Intake(cluster, queue, profiles.keySet());
    gatherer = tree == null ? null : gatherer(tree);
    hub = tree == null ? null : new Hub(gatherer::take);
    turns =
        new Turns(config, cluster, queue, intake, committer, inbox, evictions, gatherer, durations);
    ObjectReader reader = new ObjectReader(cluster, intake, config.version());
    ObjectListener feed =
        new ClusterFeed(inbox, cluster, reader, this::cannotBeRead, committer::forget);
    resources = Resource.of(config.version());
    for (Resource resource : resources) {
      reflectors.add(new Reflector(resource, api, feed, pace));
    }
  }

  private Gatherer gatherer(Tree tree) {
    return new Gatherer(
        cluster,
        message -> hub.down(message),
        tree.rules(),
        tree.epoch(),
        Gatherer.Patience.DEFAULT,
        nowNs);
  }

  /** All that it reads. */
  public List<Resource> resources() {
    return resources;
  }

  /** Where members of the tree come to; null if there is no tree, or it does not run. */
  public Hub hub() {
    return isRunning() && runner != null ? hub : null;
  }

  /** How the tree is; null if there is none. */
  public Picture picture() {
    return gatherer == null ? null : gatherer.picture();
  }

  /** Kube-scheduler's, and that nobody is decided about for whom others are on their way out. */
  private Rules rules(Profile profile) {
    Rules own = Rules.of(profile, cluster);
    List<Gate> gates = new ArrayList<>(own.gates());
    gates.add(new Gate("DefaultPreemption", pod -> !evictions.isUnderWay(pod)));
    return new Rules(own.hints(), gates, own.losesPatienceWithGates(), own.grouping());
  }

  /** Whether all that decides is known; nothing is decided before. */
  public boolean isInStep() {
    return inStep;
  }

  /** Whether it goes on: it has not ended, and its thread does not hang. */
  public boolean isRunning() {
    boolean hangs = runner != null && System.nanoTime() - roundNs > LONGEST_ROUND_NS;
    return !stopped && !hangs;
  }

  /** Who waited when it was looked the last time, some seconds ago. */
  public Waiting waiting() {
    return waiting;
  }

  /** What became of pods so far. */
  public Counts counts() {
    return turns.counts();
  }

  /** Reads and decides until it is closed, or interrupted. */
  @Override
  public void run() {
    roundNs = System.nanoTime();
    runner = Thread.currentThread();
    for (int i = 0; i < reflectors.size(); i++) {
      String name = resources.get(i).plural();
      readers.add(Thread.ofVirtual().name(name).start(reflectors.get(i)));
    }
    try {
      boolean busy = false;
      while (!stopped) {
        busy = round(busy);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      stopped = true;
      reflectors.forEach(Reflector::stop);
      if (hub != null) {
        hub.cutAll("the root ends");
      }
    }
  }

  /** Returns whether there is more to decide. */
  private boolean round(boolean busy) throws InterruptedException {
    roundNs = System.nanoTime();
    intake.at(nowNs.getAsLong());
    inbox.drain(MOST_TOLD, busy ? 0 : TICK_MS);
    long now = nowNs.getAsLong();
    intake.at(now);
    if (waits.isDue(now)) {
      queue.endWaits(now);
    }
    if (patience.isDue(now)) {
      queue.losePatience(now);
    }
    if (silence.isDue(now)) {
      reflectors.forEach(Reflector::cutIfSilent);
      waiting = queue.waits();
    }
    turns.look(now);
    boolean moreToTell = gatherer != null && gatherer.look();
    if (!inStep && reflectors.stream().allMatch(Reflector::isInStep)) {
      inStep = true;
      LOG.infof(
          "in step: %d nodes, %d pods; deciding for %s",
          cluster.nodesHere(), cluster.pods().size(), String.join(", ", profiles.keySet()));
    }
    boolean more = inStep;
    long start = System.nanoTime();
    for (int i = 0; more && i < MOST_TURNS && System.nanoTime() - start < TURNS_NS; i++) {
      more = turns.take();
    }
    return more || moreToTell || inbox.size() > 0;
  }

  private void cannotBeRead(ClusterFeed.Unreadable unreadable) {
    Fields meta = unreadable.pod().child("metadata");
    String scheduler = unreadable.pod().child("spec").string("schedulerName");
    if (profiles.containsKey(scheduler)) {
      PodRef pod =
          new PodRef(meta.string("namespace"), meta.string("name"), meta.string("uid"), scheduler);
      committer.say(pod, PodStatus.refused(true, unreadable.why(), null));
      committer.tell(Notice.refused(pod, unreadable.why()));
    }
  }

  /** Ends it; what is being written then is the committer's. */
  @Override
  public void close() {
    stopped = true;
    Thread thread = runner;
    if (thread != null) {
      thread.interrupt();
    }
    reflectors.forEach(Reflector::stop);
  }
}
