// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.placement;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.DomainSums;
import io.exaplane.scheduler.engine.model.Labels;
import io.exaplane.scheduler.engine.model.PodClass;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.model.Wishes;
import io.exaplane.scheduler.engine.plugin.Filter;
import io.exaplane.scheduler.engine.plugin.Plugin;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.plugin.Scope;
import io.exaplane.scheduler.engine.plugin.Scorer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A profile's plugins with one class of pods in mind: good as long as nodes and surroundings stay
 * as they are, and no wish comes or goes that means such pods.
 */
final class ClassPlan {
  private final Cluster cluster;
  private final long nodesVersion;
  private final long surroundingsVersion;
  private final PodSpec spec;
  private long wishesVersion;
  final Filter[] filters;
  final Scorer[] scorers;
  final int[] weights;
  final int priority;
  private ClassIndex index;
  private int asked;
  private boolean tried;
  private boolean closed;

  ClassPlan(PodClass pods, Cluster cluster, Profile profile) {
    this.cluster = cluster;
    spec = pods.spec();
    priority = spec.priority();
    nodesVersion = cluster.nodesVersion();
    surroundingsVersion = cluster.surroundings().version();
    wishesVersion = cluster.wishes().version();
    List<Filter> all = new ArrayList<>();
    for (Plugin plugin : profile.filters()) {
      Filter filter = plugin.filter(pods, cluster);
      if (filter != null) {
        all.add(filter);
      }
    }
    filters = all.toArray(Filter[]::new);
    List<Scorer> scoring = new ArrayList<>();
    List<Integer> factors = new ArrayList<>();
    for (Profile.WeightedScore score : profile.scores()) {
      Scorer scorer = scorer(score.plugin(), pods);
      if (scorer != null) {
        scoring.add(scorer);
        factors.add(score.weight());
      }
    }
    scorers = scoring.toArray(Scorer[]::new);
    weights = factors.stream().mapToInt(w -> w).toArray();
  }

  /** A filter that has found out what nodes are worth scores them itself. */
  private Scorer scorer(Plugin plugin, PodClass pods) {
    Scorer scorer = plugin.scorer(pods, cluster);
    for (Filter filter : filters) {
      if (scorer != null && filter.plugin().equals(plugin.name())) {
        Scorer informed = filter.scorer();
        scorer = informed == null ? scorer : informed;
      }
    }
    return scorer;
  }

  /** The scorers that depend on such things. */
  Scorer[] scorers(Predicate<Scope> which) {
    return Arrays.stream(scorers).filter(s -> which.test(s.scope())).toArray(Scorer[]::new);
  }

  /** Their weights. */
  int[] weights(Predicate<Scope> which) {
    return IntStream.range(0, scorers.length)
        .filter(i -> which.test(scorers[i].scope()))
        .map(i -> weights[i])
        .toArray();
  }

  /** The index of the class from the second time on, or null if it can have none. */
  ClassIndex index(TieBreak tieBreak) {
    return ++asked < 2 ? null : indexNow(tieBreak);
  }

  /** The index of the class, or null if it can have none. */
  ClassIndex indexNow(TieBreak tieBreak) {
    if (!tried) {
      tried = true;
      index = ClassIndex.of(cluster, this, tieBreak);
    }
    return index;
  }

  /** The sums by domain that its plugins look at. */
  Stream<DomainSums> sums() {
    return Stream.concat(
        Arrays.stream(filters).flatMap(filter -> filter.sums().stream()),
        Arrays.stream(scorers).flatMap(scorer -> scorer.sums().stream()));
  }

  boolean isCurrent() {
    return !closed
        && nodesVersion == cluster.nodesVersion()
        && surroundingsVersion == cluster.surroundings().version()
        && wishesAreTheSame();
  }

  private boolean wishesAreTheSame() {
    Wishes wishes = cluster.wishes();
    Labels labels = cluster.surroundings().namespaceLabels(spec.namespace());
    boolean same =
        wishesVersion == wishes.version() || !wishes.haveChangedFor(spec, labels, wishesVersion);
    wishesVersion = same ? wishes.version() : wishesVersion;
    return same;
  }

  void close() {
    closed = true;
    for (Filter filter : filters) {
      filter.close();
    }
    for (Scorer scorer : scorers) {
      scorer.close();
    }
  }
}
