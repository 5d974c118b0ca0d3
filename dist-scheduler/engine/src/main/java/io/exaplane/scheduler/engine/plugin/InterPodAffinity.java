// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.AffinityTerm;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.DomainSums;
import io.exaplane.scheduler.engine.model.Label;
import io.exaplane.scheduler.engine.model.LabelSelector;
import io.exaplane.scheduler.engine.model.Labels;
import io.exaplane.scheduler.engine.model.PodClass;
import io.exaplane.scheduler.engine.model.PodCounter;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.model.Topology;
import io.exaplane.scheduler.engine.model.Version;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Puts pods near to others or far from them, by their own terms and by those of the pods that are
 * there.
 *
 * @param hardPodAffinityWeight what it is worth to be where a pod is that requires pods like this
 *     one near to it
 * @param ignorePreferredTermsOfExistingPods whether pods without preferences of their own are
 *     scored at all
 * @param version until 1.36, selectors of namespaces match others than those that they select
 */
public record InterPodAffinity(
    int hardPodAffinityWeight, boolean ignorePreferredTermsOfExistingPods, Version version)
    implements Plugin {
  static final String NAME = "InterPodAffinity";

  /** Pods that match a term, or several at once. */
  private record MatchingPods(List<AffinityTerm> terms) implements PodCounter.Matcher {
    @Override
    public int times(PodSpec pod) {
      for (AffinityTerm term : terms) {
        if (!term.matches(pod.namespace(), pod.labels(), Labels.NONE)) {
          return 0;
        }
      }
      return 1;
    }

    @Override
    public List<Label> marks() {
      return Label.of(terms.getFirst().selector());
    }
  }

  /** The kinds of terms that pods carry. */
  private enum Kind {
    REQUIRED_AFFINITY,
    REQUIRED_ANTI_AFFINITY,
    PREFERRED_AFFINITY,
    PREFERRED_ANTI_AFFINITY
  }

  /** A term that pods carry; the weight of a required one is 0. */
  private record Carried(Kind kind, AffinityTerm.Weighted weighted) implements PodCounter.Matcher {
    @Override
    public int times(PodSpec pod) {
      PodSpec.Neighbours terms = pod.neighbours();
      return switch (kind) {
        case REQUIRED_AFFINITY -> times(terms.requiredAffinity(), weighted.term());
        case REQUIRED_ANTI_AFFINITY -> times(terms.requiredAntiAffinity(), weighted.term());
        case PREFERRED_AFFINITY -> times(terms.preferredAffinity(), weighted);
        case PREFERRED_ANTI_AFFINITY -> times(terms.preferredAntiAffinity(), weighted);
      };
    }

    @Override
    public List<AffinityTerm> marks() {
      return List.of(weighted.term());
    }

    private static <T> int times(List<T> terms, T term) {
      int times = 0;
      for (T each : terms) {
        times += each.equals(term) ? 1 : 0;
      }
      return times;
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Filter filter(PodClass pods, Cluster cluster) {
    PodSpec pod = pods.spec();
    List<AffinityTerm> near = resolved(pod.neighbours().requiredAffinity(), cluster);
    List<AffinityTerm> far = resolved(pod.neighbours().requiredAntiAffinity(), cluster);
    List<DomainSums> present =
        near.isEmpty() ? List.of() : sums(new MatchingPods(near), near, cluster);
    List<DomainSums> unwanted = new ArrayList<>();
    for (AffinityTerm term : far) {
      unwanted.addAll(sums(new MatchingPods(List.of(term)), List.of(term), cluster));
    }
    List<DomainSums> unwelcome = new ArrayList<>();
    for (Carried carried : carriedFor(pod, Kind.REQUIRED_ANTI_AFFINITY, cluster)) {
      unwelcome.addAll(sums(carried, List.of(carried.weighted().term()), cluster));
    }
    if (near.isEmpty() && far.isEmpty() && unwelcome.isEmpty()) {
      return null;
    }
    boolean matchesItself = !near.isEmpty() && new MatchingPods(near).times(pod) > 0;
    return new AffinityFilter(
        present, matchesItself, unwanted, unwelcome, near.isEmpty() && far.isEmpty());
  }

  @Override
  public Scorer scorer(PodClass pods, Cluster cluster) {
    PodSpec pod = pods.spec();
    PodSpec.Neighbours own = pod.neighbours();
    if (ignorePreferredTermsOfExistingPods
        && own.preferredAffinity().isEmpty()
        && own.preferredAntiAffinity().isEmpty()) {
      return null;
    }
    List<DomainSums> sums = new ArrayList<>();
    List<Integer> weights = new ArrayList<>();
    addOwn(own.preferredAffinity(), 1, cluster, sums, weights);
    addOwn(own.preferredAntiAffinity(), -1, cluster, sums, weights);
    if (hardPodAffinityWeight > 0) {
      addCarried(pod, Kind.REQUIRED_AFFINITY, w -> hardPodAffinityWeight, cluster, sums, weights);
    }
    addCarried(pod, Kind.PREFERRED_AFFINITY, w -> w, cluster, sums, weights);
    addCarried(pod, Kind.PREFERRED_ANTI_AFFINITY, w -> -w, cluster, sums, weights);
    return sums.isEmpty()
        ? null
        : new AffinityScorer(sums, weights.stream().mapToInt(w -> w).toArray());
  }

  private void addOwn(
      List<AffinityTerm.Weighted> terms,
      int sign,
      Cluster cluster,
      List<DomainSums> sums,
      List<Integer> weights) {
    for (AffinityTerm.Weighted weighted : terms) {
      List<AffinityTerm> term = resolved(List.of(weighted.term()), cluster);
      sums.addAll(sums(new MatchingPods(term), term, cluster));
      weights.add(sign * weighted.weight());
    }
  }

  private static void addCarried(
      PodSpec pod,
      Kind kind,
      Function<Integer, Integer> weight,
      Cluster cluster,
      List<DomainSums> sums,
      List<Integer> weights) {
    for (Carried carried : carriedFor(pod, kind, cluster)) {
      sums.addAll(sums(carried, List.of(carried.weighted().term()), cluster));
      weights.add(weight.apply(carried.weighted().weight()));
    }
  }

  private static List<DomainSums> sums(
      PodCounter.Matcher pods, List<AffinityTerm> terms, Cluster cluster) {
    PodCounter counter = cluster.counter(pods);
    List<DomainSums> sums =
        terms.stream()
            .map(
                term -> {
                  Topology topology = cluster.topology(term.topologyKey());
                  return cluster.sums(DomainSums.Of.all(counter, topology));
                })
            .toList();
    counter.release();
    return sums;
  }

  /** The terms of all kinds, carried by any pod, that such a pod matches. */
  public static Set<AffinityTerm> termsFor(PodSpec pod, Cluster cluster) {
    Set<AffinityTerm> terms = new HashSet<>();
    for (Kind kind : Kind.values()) {
      carriedFor(pod, kind, cluster).forEach(carried -> terms.add(carried.weighted().term()));
    }
    return terms;
  }

  /** The terms of this kind, carried by any pod, that such a pod matches. */
  private static Set<Carried> carriedFor(PodSpec pod, Kind kind, Cluster cluster) {
    Labels namespaceLabels = cluster.surroundings().namespaceLabels(pod.namespace());
    Set<Carried> terms = new LinkedHashSet<>();
    for (PodSpec.Neighbours other : cluster.wishes().thatMayMean(pod)) {
      for (Carried carried : carriedBy(other, kind)) {
        if (carried.weighted().term().matches(pod.namespace(), pod.labels(), namespaceLabels)) {
          terms.add(carried);
        }
      }
    }
    return terms;
  }

  private static List<Carried> carriedBy(PodSpec.Neighbours terms, Kind kind) {
    return switch (kind) {
      case REQUIRED_AFFINITY ->
          terms.requiredAffinity().stream()
              .map(t -> new Carried(kind, new AffinityTerm.Weighted(0, t)))
              .toList();
      case REQUIRED_ANTI_AFFINITY ->
          terms.requiredAntiAffinity().stream()
              .map(t -> new Carried(kind, new AffinityTerm.Weighted(0, t)))
              .toList();
      case PREFERRED_AFFINITY ->
          terms.preferredAffinity().stream().map(t -> new Carried(kind, t)).toList();
      case PREFERRED_ANTI_AFFINITY ->
          terms.preferredAntiAffinity().stream().map(t -> new Carried(kind, t)).toList();
    };
  }

  /**
   * A pod's own terms with the namespaces that their selectors stand for now. Until 1.36,
   * kube-scheduler keeps the selector besides, and compares it with no labels at all: one like
   * NotIn then matches pods of every namespace. Source:
   * pkg/scheduler/framework/plugins/interpodaffinity/plugin.go.
   */
  private List<AffinityTerm> resolved(List<AffinityTerm> terms, Cluster cluster) {
    List<AffinityTerm> resolved = new ArrayList<>();
    for (AffinityTerm term : terms) {
      LabelSelector selector = term.namespaceSelector();
      if (selector.isEmpty() || selector.matchesNothing()) {
        resolved.add(term);
      } else {
        TreeSet<String> namespaces = cluster.surroundings().namespaces(selector);
        namespaces.addAll(term.namespaces());
        LabelSelector others = version.atLeast(Version.V1_37) ? LabelSelector.NOTHING : selector;
        resolved.add(new AffinityTerm(namespaces, others, term.selector(), term.topologyKey()));
      }
    }
    return resolved;
  }
}
