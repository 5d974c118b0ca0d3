// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.split;

import io.exaplane.scheduler.engine.decision.Rescue;
import io.exaplane.scheduler.engine.explain.FitMessage;
import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.plugin.Extrema;
import io.exaplane.scheduler.engine.plugin.Profile;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides about pods over all shards, as one engine would that has all nodes; what shards say is
 * added up, and told to them, in steps. What it adds up is associative: sums of sums, the best of
 * the best. One thread.
 */
public final class Root {
  private final List<Shard> shards;
  private final Profile profile;
  private final boolean withReasons;
  private final Membership membership;
  private final Set<PodSpec.Neighbours> wishes = new LinkedHashSet<>();

  /**
   * Of shards that have the same profile and seed, and no node in common.
   *
   * @param withReasons whether they were made to tell why nodes do not do
   */
  public Root(List<Shard> shards, Profile profile, boolean withReasons) {
    if (shards.isEmpty()) {
      throw new IllegalArgumentException("shards: there are none; at least one is needed");
    }
    this.shards = List.copyOf(shards);
    this.profile = profile;
    this.withReasons = withReasons;
    membership = new Membership(this.shards);
  }

  /**
   * What becomes of a pod that waits if nothing else happens; shards stay as they are.
   *
   * @param pod as it is now: for which node it waits is taken from here
   * @throws IllegalStateException if it is on a node, or if shards know different objects, so that
   *     they look for different pods
   */
  public Outcome decide(Pod pod) {
    try {
      shards.forEach(shard -> shard.enlist(pod));
      exchangeWishes();
      membership.exchange();
      exchangeContributions(pod);
      Shard owner = pod.nominatedNode().isEmpty() ? null : find(pod.nominatedNode());
      Survey first = owner == null ? null : owner.survey();
      return first != null && first.nominatedDoes()
          ? Outcome.goes(pod, owner.best(Map.of()), 0)
          : decideAnew(pod, owner, first);
    } finally {
      shards.forEach(Shard::dismiss);
    }
  }

  private void exchangeWishes() {
    shards.forEach(shard -> wishes.addAll(shard.wishes()));
    for (Shard shard : shards) {
      if (!shard.wishes().containsAll(wishes)) {
        shard.hear(wishes);
      }
    }
  }

  private void exchangeContributions(Pod pod) {
    int count = shards.size();
    Contribution[] after = new Contribution[count];
    Contribution sum = Contribution.NONE;
    Contribution[] own = new Contribution[count];
    for (int i = count - 1; i >= 0; i--) {
      after[i] = sum;
      own[i] = shards.get(i).contribution();
      if (!own[i].sums().keySet().equals(own[count - 1].sums().keySet())) {
        throw new IllegalStateException(
            "pod %s: shard %d looks for other pods than shard %d does; give all shards the same Services, controllers and namespaces"
                .formatted(pod.key(), i, count - 1));
      }
      sum = own[i].and(sum);
    }
    Contribution before = Contribution.NONE;
    for (int i = 0; i < count; i++) {
      shards.get(i).hear(before.and(after[i]));
      before = before.and(own[i]);
    }
  }

  /** One shard was asked already, unless it is null. */
  private Outcome decideAnew(Pod pod, Shard asked, Survey said) {
    Survey all =
        shards.stream()
            .map(shard -> shard == asked ? said : shard.survey())
            .reduce(Survey::and)
            .orElseThrow();
    if (all.unsupported() != null) {
      return Outcome.stays(pod, false, "not supported: " + all.unsupported());
    }
    if (all.error() != null) {
      return Outcome.stays(pod, true, all.error());
    }
    if (all.gated()) {
      return Outcome.stays(pod, false, message(all, Map.of(), ""));
    }
    return all.feasible() > 0 ? best(pod, all) : rescue(pod, all);
  }

  private Outcome best(Pod pod, Survey all) {
    Map<String, Extrema> extrema = new HashMap<>();
    for (Shard shard : shards) {
      shard.score(all.crowds()).forEach((plugin, one) -> extrema.merge(plugin, one, Extrema::and));
    }
    Bid best = null;
    for (Shard shard : shards) {
      Bid bid = shard.best(extrema);
      best = bid != null && bid.beats(best) ? bid : best;
    }
    return Outcome.goes(pod, best, all.feasible() == 1 ? 0 : best.score());
  }

  private Outcome rescue(Pod pod, Survey all) {
    Offer offer = shards.stream().map(Shard::rescue).reduce(Offer::and).orElseThrow();
    boolean mayPreempt =
        offer.prospects().notEligible() == null && !offer.prospects().endsWithDevices();
    Room room = mayPreempt ? offer.room() : null;
    String node = room == null ? "" : room.node();
    int victims = room == null ? 0 : room.victims().size();
    Rescue rescue = Rescue.of(profile, membership.nodeCount(), offer.prospects(), node, victims);
    boolean forgets = rescue.waitsNoMore() && !pod.nominatedNode().isEmpty();
    return new Outcome(
        pod,
        "",
        0,
        room == null ? "" : room.node(),
        room == null ? List.of() : room.victims(),
        List.of(),
        rescue.givenUp(),
        forgets,
        message(all, offer.reasons(), rescue.message()));
  }

  private String message(Survey all, Map<String, Integer> reasons, String afterwards) {
    return withReasons
        ? FitMessage.of(membership.nodeCount(), all.rejection(), reasons, afterwards)
        : "";
  }

  /**
   * Lets a decision come true; victims go at once.
   *
   * @return other pods that are less important and waited for the same node: they wait for none
   *     from now on
   * @throws IllegalStateException if the node is gone; nothing is done then
   */
  public List<Pod> apply(Outcome outcome) {
    Pod pod = outcome.pod();
    if (!outcome.node().isEmpty()) {
      Node node = owner(outcome.node()).node(outcome.node());
      shards.forEach(shard -> shard.bind(pod, node, outcome.grants()));
      return List.of();
    }
    Shard owner = outcome.nominated().isEmpty() ? null : owner(outcome.nominated());
    if (outcome.givenUp() != null) {
      shards.forEach(shard -> shard.give(outcome.givenUp()));
    }
    List<Pod> cleared = List.of();
    if (owner != null) {
      outcome.victims().forEach(owner::remove);
      if (!outcome.victims().isEmpty()) {
        cleared = owner.clearNominations(outcome.nominated(), pod.spec().priority());
      }
      shards.forEach(shard -> shard.put(pod.nominatedTo(outcome.nominated())));
    } else if (outcome.waitsNoMore()) {
      shards.forEach(shard -> shard.put(pod.nominatedTo("")));
    }
    return cleared;
  }

  private Shard owner(String node) {
    Shard owner = find(node);
    if (owner == null) {
      throw new IllegalStateException(
          "node %s: no shard has it any more; decide about the pod again".formatted(node));
    }
    return owner;
  }

  /** The shard that has a node, or null. */
  private Shard find(String node) {
    return shards.stream().filter(shard -> shard.has(node)).findFirst().orElse(null);
  }
}
