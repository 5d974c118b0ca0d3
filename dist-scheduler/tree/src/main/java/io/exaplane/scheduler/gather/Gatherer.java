// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.gather;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.gather.Members.Member;
import io.exaplane.scheduler.membership.Weights;
import io.exaplane.scheduler.tree.Change;
import io.exaplane.scheduler.tree.Down;
import io.exaplane.scheduler.tree.Packed;
import io.exaplane.scheduler.tree.TreeCodec;
import io.exaplane.scheduler.tree.Up;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Keeps shards in step with a cluster, and asks them which nodes are the best. It belongs to the
 * cluster's thread, but for {@link #take} and {@link #picture}, which are for any: what comes up
 * waits until the thread looks. All that shards know they were told by this thread, so what they
 * say is of the very cluster that asks; and nothing that they say is needed: who gets no answer
 * looks at all nodes itself.
 */
public final class Gatherer {
  private static final System.Logger LOG = System.getLogger(Gatherer.class.getName());
  private static final long PING_NS = TimeUnit.MILLISECONDS.toNanos(200);

  /** Where somebody has so much on its way that it gets no more before it says that it has it. */
  private static final long SOON_NS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final long PROBATION_NS = TimeUnit.MINUTES.toNanos(5);
  private static final long WEIGH_NS = TimeUnit.SECONDS.toNanos(1);
  private static final int NODES_AT_A_TIME = 2000;
  private static final int CHANGES_AT_A_TIME = 1000;

  private static final int MOST_REMEMBERED = 10_000;

  private static final int MOST_IMAGES = 2000;

  /** Who has so much to read will never catch up. */
  private static final long TOO_FAR_BEHIND = 2_000_000;

  /**
   * How long is waited.
   *
   * @param answerNs for answers
   * @param firstAnswerNs where shards hear of a class for the first time, or nodes are others: then
   *     they look at all their nodes
   * @param silentNs for a sign of life, after which a member is dropped
   */
  public record Patience(long answerNs, long firstAnswerNs, long silentNs) {
    /** A member that stands still is dropped before the root's own Lease would be lost. */
    public static final Patience DEFAULT =
        new Patience(
            TimeUnit.SECONDS.toNanos(1), TimeUnit.SECONDS.toNanos(2), TimeUnit.SECONDS.toNanos(3));
  }

  private final Patience patience;
  private final Cluster cluster;
  private final Consumer<Down> down;
  private final Down.Rules rules;
  private final LongSupplier epoch;
  private final LongSupplier nowNs;
  private final BlockingQueue<Up> below = new LinkedBlockingQueue<>();
  private final Members members = new Members();
  private final Weights weights = new Weights();
  private final Map<Integer, List<Change>> outgoing = new LinkedHashMap<>();
  private final Teller teller;
  private final Map<Integer, Long> asked = new HashMap<>();

  /** By name, when members were dropped last: they may not be up to a whole share. */
  private final Map<String, Long> droppedNs = new HashMap<>();

  private final Set<String> images = new HashSet<>();
  private boolean imagesChanged;
  private Change.Totals totals;
  private long nodesVersion = -1;
  private int topologyKeys;
  private int lastNumber;
  private long lastAsk;
  private long lastPing;
  private long pingedNs;
  private long weighedNs;
  private long missedNs;
  private boolean dealt = true;
  private long answered;
  private long missed;
  private volatile Picture picture = Picture.NONE;

  /**
   * Without members.
   *
   * @param down takes what goes down, in order; must not wait
   * @param epoch of this root once it is in charge, higher than those of all before
   * @param nowNs never goes back
   */
  public Gatherer(
      Cluster cluster,
      Consumer<Down> down,
      Down.Rules rules,
      LongSupplier epoch,
      Patience patience,
      LongSupplier nowNs) {
    this.patience = patience;
    this.cluster = cluster;
    this.down = down;
    this.rules = rules;
    this.epoch = epoch;
    this.nowNs = nowNs;
    teller = new Teller(cluster, this::tell);
    cluster.tell(teller);
  }

  private void tell(int member, Change change) {
    outgoing.get(member).add(change);
  }

  /** Something came up. Any thread. */
  public void take(Up message) {
    below.add(message);
  }

  /** How the tree is. Any thread. */
  public Picture picture() {
    return picture;
  }

  /**
   * Looks at what came up, at the time, and at what is still to be told; again and again, ten times
   * a second at least.
   *
   * @return whether there is more to tell already
   */
  public boolean look() {
    for (Up message = below.poll(); message != null; message = below.poll()) {
      heard(message);
    }
    long now = nowNs.getAsLong();
    ping(now);
    dropSilent(now);
    if (now - weighedNs >= WEIGH_NS) {
      weighedNs = now;
      dealt &= !weights.weigh(now);
    }
    if (!dealt) {
      dealt = true;
      teller.deal(weights.now());
    }
    boolean more = teller.goOn(NODES_AT_A_TIME, this::mayHear);
    flush();
    return more;
  }

  private void ping(long now) {
    boolean isFull = members.all().stream().anyMatch(member -> !member.mayHear());
    if (now - pingedNs >= (isFull ? SOON_NS : PING_NS)) {
      pingedNs = now;
      flush();
      members.ping(++lastPing, now);
      down.accept(new Down.Ping(lastPing));
      draw();
    }
  }

  private boolean mayHear(int member) {
    return members.get(member).mayHear();
  }

  private void dropSilent(long now) {
    for (Member member : members.silentSince(now - patience.silentNs())) {
      dropForNow(
          member,
          "the member was silent for %d s"
              .formatted(TimeUnit.NANOSECONDS.toSeconds(patience.silentNs())));
    }
    for (Member member : List.copyOf(members.all())) {
      if (member.onTheirWay() > TOO_FAR_BEHIND) {
        dropForNow(member, "the member is %d changes behind".formatted(member.onTheirWay()));
      }
    }
  }

  /** It is not up to what it has. */
  private void dropForNow(Member member, String why) {
    if (droppedNs.size() > MOST_REMEMBERED) {
      droppedNs.clear();
    }
    droppedNs.put(member.hello().name(), nowNs.getAsLong());
    drop(member.number(), why);
  }

  private void drop(int member, String why) {
    LOG.log(System.Logger.Level.WARNING, "dropped {0}: {1}", members.name(member), why);
    down.accept(new Down.Drop(member, why));
    leaves(member);
  }

  private void heard(Up message) {
    long now = nowNs.getAsLong();
    switch (message) {
      case Up.Hello hello -> joins(hello, now);
      case Up.Pong pong -> members.pong(pong, now);
      case Up.Left left -> {
        if (members.get(left.member()) != null) {
          String name = members.name(left.member());
          LOG.log(System.Logger.Level.INFO, "{0} left the tree", name);
        }
        leaves(left.member());
      }
      case Up.Answer answer ->
          answer.from().forEach(each -> weights.took(each.member(), each.micros()));
    }
  }

  private void joins(Up.Hello hello, long now) {
    int number = ++lastNumber;
    Member member = members.add(number, hello, now);
    down.accept(new Down.Welcome(hello.token(), number, epoch.getAsLong(), rules));
    if (!hello.model().equals(TreeCodec.FINGERPRINT)) {
      drop(
          number,
          "the member has model %s, the root has model %s; run all processes of the scheduler in the same version"
              .formatted(hello.model(), TreeCodec.FINGERPRINT));
      return;
    }
    LOG.log(System.Logger.Level.INFO, "{0} joined the tree", members.name(number));
    if (member.isShard()) {
      outgoing.put(number, new ArrayList<>());
      Long dropped = droppedNs.get(hello.name());
      weights.add(number, dropped != null && now - dropped < PROBATION_NS, now);
      teller.joins(number);
      if (totals != null) {
        tell(number, totals);
      }
      dealt = false;
    }
    draw();
  }

  private void leaves(int number) {
    Member gone = members.remove(number);
    if (gone != null && gone.isShard() && outgoing.remove(number) != null) {
      weights.remove(number);
      teller.leaves(number);
      dealt = false;
    }
    draw();
  }

  private void flush() {
    outgoing.forEach(
        (member, changes) -> {
          for (int from = 0; from < changes.size(); from += CHANGES_AT_A_TIME) {
            int to = Math.min(changes.size(), from + CHANGES_AT_A_TIME);
            for (Packed part : Packed.inParts(changes.subList(from, to))) {
              down.accept(new Down.Changes(member, part));
            }
          }
          members.get(member).sent(changes.size());
          changes.clear();
        });
  }

  /** Whether it is worth asking: shards know all nodes, and are there. */
  public boolean isComplete() {
    return dealt && teller.isComplete() && (missedNs == 0 || members.areHeardSince(missedNs));
  }

  /**
   * The best of all nodes for a class of pods, as the cluster is now.
   *
   * @param pods without volumes; the cluster's topology keys are those of a plan for them
   * @param most so many of each cell
   * @return null if not all answered in time; without cells if they cannot tell
   */
  public Up.Answer ask(PodSpec pods, int most) throws InterruptedException {
    if (!isComplete()) {
      return null;
    }
    Question question = begin(pods, most);
    Set<Integer> shards = Set.copyOf(outgoing.keySet());
    while (teller.isComplete()) {
      Up message = below.poll(question.end() - nowNs.getAsLong(), TimeUnit.NANOSECONDS);
      if (message == null) {
        break;
      }
      heard(message);
      if (message instanceof Up.Answer answer && answer.id() == question.id()) {
        if (!isOf(answer, shards)) {
          break;
        }
        answered++;
        return answer;
      }
    }
    missedNs = nowNs.getAsLong();
    missed++;
    return null;
  }

  private static boolean isOf(Up.Answer answer, Set<Integer> shards) {
    return answer.from().size() == shards.size()
        && answer.from().stream().allMatch(took -> shards.contains(took.member()));
  }

  /** What is known by a number, and waited for until a time. */
  private record Question(long id, long end) {}

  /** Asks. */
  private Question begin(PodSpec pods, int most) {
    ping(nowNs.getAsLong());
    int podClass = teller.tellAll(pods);
    if (images.size() > MOST_IMAGES) {
      images.clear();
    }
    imagesChanged |= images.addAll(pods.images());
    tellTotals();
    flush();
    long id = ++lastAsk;
    if (asked.size() > MOST_REMEMBERED) {
      asked.clear();
    }
    Long askedAt = asked.put(podClass, nodesVersion);
    boolean first = askedAt == null || askedAt != nodesVersion;
    long end = nowNs.getAsLong() + (first ? patience.firstAnswerNs() : patience.answerNs());
    down.accept(new Down.Ask(id, podClass, most));
    return new Question(id, end);
  }

  /** What is on all nodes together, if it is not what members know. */
  private void tellTotals() {
    Set<String> keys = cluster.topologyKeys();
    boolean same =
        !imagesChanged && nodesVersion == cluster.nodesVersion() && topologyKeys == keys.size();
    if (totals != null && same) {
      return;
    }
    imagesChanged = false;
    nodesVersion = cluster.nodesVersion();
    topologyKeys = keys.size();
    Set<String> unshared = new HashSet<>();
    for (String key : keys) {
      if (cluster.topology(key).isUnique()) {
        unshared.add(key);
      }
    }
    Map<String, Integer> nodesWith = new HashMap<>();
    for (String image : images) {
      // One that no node has is worth nothing anywhere.
      int count = cluster.images().nodesWith(image);
      if (count > 0) {
        nodesWith.put(image, count);
      }
    }
    Change.Totals now = new Change.Totals(cluster.nodesHere(), nodesWith, unshared);
    if (!now.equals(totals)) {
      totals = now;
      outgoing.values().forEach(changes -> changes.add(now));
    }
  }

  private void draw() {
    List<Picture.Seen> all = new ArrayList<>();
    long now = nowNs.getAsLong();
    for (Member member : members.all()) {
      all.add(
          new Picture.Seen(
              member.number(),
              member.hello().name(),
              member.hello().kind(),
              member.hello().via(),
              member.nodes(),
              weights.now().getOrDefault(member.number(), 0.0),
              weights.micros(member.number()),
              now - member.heardNs()));
    }
    picture = new Picture(epoch.getAsLong(), isComplete(), List.copyOf(all), answered, missed);
  }
}
