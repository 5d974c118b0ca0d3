// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.NodeSelector;
import io.exaplane.scheduler.engine.model.NodeTable;
import io.exaplane.scheduler.engine.model.PodClass;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.model.Requirement;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Keeps pods to the nodes that their node selector and affinity allow, and prefers those that they
 * prefer.
 *
 * @param addedRequired what the profile asks of nodes besides (addedAffinity), or null
 * @param addedPreferred what the profile prefers besides
 */
public record NodeAffinity(NodeSelector addedRequired, List<NodeSelector.Preferred> addedPreferred)
    implements Plugin {
  private static final String NAME = "NodeAffinity";
  private static final Status NO_MATCH =
      Status.unresolvable(NAME, "node(s) didn't match Pod's node affinity/selector");
  private static final Status NOT_ENFORCED =
      Status.unresolvable(NAME, "node(s) didn't match scheduler-enforced node affinity");
  private static final Status CONFLICT = Status.unresolvable(NAME, "pod affinity terms conflict");

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Filter filter(PodClass pods, Cluster cluster) {
    PodSpec.NodeChoice choice = pods.spec().affinity();
    if (choice.isUnconditional() && addedRequired == null) {
      return null;
    }
    PreFilter known = preFilter(choice.required());
    NodeTable nodes = cluster.nodes();
    return new Filter(NAME) {
      @Override
      public PreFilter prepare() {
        return known;
      }

      @Override
      public long test(int id) {
        Node node = nodes.node(id);
        if (addedRequired != null && !addedRequired.matches(node.name(), node.labels())) {
          return 2;
        }
        return choice.allows(node.name(), node.labels()) ? PASSES : 1;
      }

      @Override
      public Status explain(long verdict) {
        return verdict == 2 ? NOT_ENFORCED : NO_MATCH;
      }

      @Override
      public Scope scope() {
        return Scope.NODE;
      }
    };
  }

  /** Where each term names its nodes, no others are looked at. */
  private static PreFilter preFilter(NodeSelector required) {
    if (required == null || required.terms().isEmpty()) {
      return PreFilter.ALL_NODES;
    }
    Set<String> names = new TreeSet<>();
    for (NodeSelector.Term term : required.terms()) {
      Set<String> ofTerm = null;
      for (Requirement field : term.fields()) {
        if (field.key().equals("metadata.name") && field.operator() == Requirement.Operator.IN) {
          if (ofTerm == null) {
            ofTerm = new TreeSet<>(field.values());
          } else {
            ofTerm.retainAll(field.values());
          }
        }
      }
      if (ofTerm == null) {
        return PreFilter.ALL_NODES;
      }
      names.addAll(ofTerm);
    }
    return names.isEmpty() ? PreFilter.reject(CONFLICT) : PreFilter.only(names);
  }

  @Override
  public Scorer scorer(PodClass pods, Cluster cluster) {
    List<NodeSelector.Preferred> preferred = pods.spec().affinity().preferred();
    if (preferred.isEmpty() && addedPreferred.isEmpty()) {
      return null;
    }
    NodeTable nodes = cluster.nodes();
    return new ScorerByMax(NAME, false) {
      @Override
      public long score(int node) {
        return sum(preferred, nodes.node(node)) + sum(addedPreferred, nodes.node(node));
      }
    };
  }

  private static long sum(List<NodeSelector.Preferred> preferred, Node node) {
    long sum = 0;
    for (NodeSelector.Preferred one : preferred) {
      if (one.term().matches(node.name(), node.labels())) {
        sum += one.weight();
      }
    }
    return sum;
  }
}
