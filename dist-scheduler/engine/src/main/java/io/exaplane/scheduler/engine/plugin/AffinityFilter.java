// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.DomainSums;
import io.exaplane.scheduler.engine.model.Topology;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Refuses nodes whose domains lack the pods that are wanted, or have those that are not. Source:
 * pkg/scheduler/framework/plugins/interpodaffinity/filtering.go.
 */
final class AffinityFilter extends Filter {
  private static final int LACKING = 1;
  private static final int UNWANTED = 2;
  private static final int UNWELCOME = 3;
  private static final Status[] REFUSALS = {
    null,
    Status.unresolvable(InterPodAffinity.NAME, "node(s) didn't match pod affinity rules"),
    Status.unschedulable(InterPodAffinity.NAME, "node(s) didn't match pod anti-affinity rules"),
    Status.unschedulable(
        InterPodAffinity.NAME, "node(s) didn't satisfy existing pods anti-affinity rules")
  };

  private final DomainSums[] present;
  private final boolean matchesItself;
  private final DomainSums[] unwanted;
  private final DomainSums[] unwelcome;
  private final boolean withoutOwnTerms;

  /**
   * For one class of pods.
   *
   * @param present for each required term, the pods that match all of them, by its key
   * @param matchesItself whether such a pod would be one of those
   * @param unwanted for each required anti-affinity term, the pods that match it, by its key
   * @param unwelcome for each such term of other pods that matches this one, the pods that carry
   *     it, by its key
   */
  AffinityFilter(
      List<DomainSums> present,
      boolean matchesItself,
      List<DomainSums> unwanted,
      List<DomainSums> unwelcome,
      boolean withoutOwnTerms) {
    super(InterPodAffinity.NAME);
    this.present = present.toArray(DomainSums[]::new);
    this.matchesItself = matchesItself;
    this.unwanted = unwanted.toArray(DomainSums[]::new);
    this.unwelcome = unwelcome.toArray(DomainSums[]::new);
    this.withoutOwnTerms = withoutOwnTerms;
  }

  @Override
  public PreFilter prepare() {
    return withoutOwnTerms && isEmpty(unwelcome) ? PreFilter.SKIP : PreFilter.ALL_NODES;
  }

  @Override
  public long test(int node) {
    if (present.length > 0 && !hasWanted(node)) {
      return LACKING;
    }
    if (anyAt(unwanted, node)) {
      return UNWANTED;
    }
    return anyAt(unwelcome, node) ? UNWELCOME : PASSES;
  }

  /**
   * The first pod of those that want to be near to each other may be anywhere where it could be
   * near to itself.
   */
  private boolean hasWanted(int node) {
    boolean all = true;
    for (DomainSums sums : present) {
      int domain = sums.topology().domain(node);
      if (domain == Topology.NONE) {
        return false;
      }
      all &= sums.of(domain) > 0;
    }
    return all || (matchesItself && isEmpty(present));
  }

  private static boolean anyAt(DomainSums[] all, int node) {
    for (DomainSums sums : all) {
      int domain = sums.topology().domain(node);
      if (domain != Topology.NONE && sums.of(domain) > 0) {
        return true;
      }
    }
    return false;
  }

  private static boolean isEmpty(DomainSums[] all) {
    for (DomainSums sums : all) {
      if (sums.total() > 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public List<Coordinate> coordinates() {
    return sums().stream().map(sums -> Coordinate.of(sums, sum -> sum > 0 ? 1 : 0)).toList();
  }

  @Override
  public Status explain(long verdict) {
    return REFUSALS[(int) verdict];
  }

  @Override
  public List<DomainSums> sums() {
    return Stream.of(present, unwanted, unwelcome).flatMap(Arrays::stream).toList();
  }

  @Override
  public void close() {
    sums().forEach(DomainSums::close);
  }
}
