// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.placement;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.PodClass;
import io.exaplane.scheduler.engine.plugin.Filter;
import io.exaplane.scheduler.engine.plugin.Plugin;
import io.exaplane.scheduler.engine.plugin.PreFilter;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.plugin.VolumeBinding;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Finds the best node for a class of pods by its index, and, for pods with volumes, by the index of
 * those without. For its cluster's thread.
 */
final class Shortcut {
  private final Cluster cluster;
  private final Plans plans;
  private final TieBreak tieBreak;
  private final List<Plugin> aboutVolumes;

  /** The plugin that scores nodes by volumes, or null. */
  private final VolumeBinding volumeScores;

  private long score;

  Shortcut(Cluster cluster, Profile profile, Plans plans, TieBreak tieBreak) {
    this.cluster = cluster;
    this.plans = plans;
    this.tieBreak = tieBreak;
    aboutVolumes = profile.filters().stream().filter(Plugin::isAboutVolumes).toList();
    volumeScores =
        profile.scores().stream()
            .map(Profile.WeightedScore::plugin)
            .filter(VolumeBinding.class::isInstance)
            .map(VolumeBinding.class::cast)
            .findFirst()
            .orElse(null);
  }

  /** The best node, -1 if there is none, or {@link Cycle#UNKNOWN}. */
  int best(PodClass pods) {
    ClassIndex index = index(pods);
    if (index == null) {
      return Cycle.UNKNOWN;
    }
    int best = volumesDecide(pods) ? bestWithVolumes(pods, index) : index.best();
    score = best < 0 || index.feasibleCount() == 1 ? 0 : index.bestScore();
    return best;
  }

  /** The score of what {@link #best} found; 0 of the only feasible node. */
  long score() {
    return score;
  }

  /** The nodes that do, to be scored together with those elsewhere; null if it cannot tell. */
  PartialScores part(PodClass pods) {
    ClassIndex index = index(pods);
    if (index == null || !volumesDecide(pods)) {
      return index == null ? null : index.part();
    }
    IntPredicate volumesAllow = volumesAllow(pods);
    return volumesAllow == null ? null : index.part(volumesAllow);
  }

  /** Whether {@link Candidates} can tell the best node; not so where volumes decide. */
  boolean takesCandidates(PodClass pods) {
    return !volumesDecide(pods)
        && !volumesTellNodesApart(pods)
        && CellIndex.isPossible(plans.of(pods));
  }

  /** What is best here, for {@link Candidates} elsewhere; null if it cannot tell. */
  List<BestOfCell> bestOfEach(PodClass pods, int most) {
    ClassIndex index = plans.of(pods).indexNow(tieBreak);
    return index == null ? null : index.bestOfEach(most);
  }

  Candidates candidates(PodClass pods, List<BestOfCell> cells) {
    return new Candidates(cluster, plans.of(pods), tieBreak, cells);
  }

  /**
   * Whether nodes are worth more or less by what volumes they have: an index knows nothing of it.
   */
  private boolean volumesTellNodesApart(PodClass pods) {
    return volumeScores != null && volumeScores.tellsNodesApart(pods.spec(), cluster.volumes());
  }

  private boolean volumesDecide(PodClass pods) {
    return !aboutVolumes.isEmpty() && cluster.withoutVolumes(pods) != pods;
  }

  private ClassIndex index(PodClass pods) {
    if (volumesTellNodesApart(pods)) {
      return null;
    }
    ClassIndex index = plans.of(cluster.withoutVolumes(pods)).index(tieBreak);
    return volumesDecide(pods) && cluster.hasNominations() ? null : index;
  }

  /** Where there is none, every node has to be asked why. */
  private int bestWithVolumes(PodClass pods, ClassIndex index) {
    IntPredicate volumesAllow = volumesAllow(pods);
    int best = volumesAllow == null ? Cycle.UNKNOWN : index.best(volumesAllow);
    return best < 0 ? Cycle.UNKNOWN : best;
  }

  /** What the plugins that look at volumes say of a node; null if they know before. */
  private IntPredicate volumesAllow(PodClass pods) {
    List<Filter> asked = new ArrayList<>();
    for (Plugin plugin : aboutVolumes) {
      Filter filter = plugin.filter(pods, cluster);
      PreFilter known = filter == null ? PreFilter.SKIP : filter.prepare();
      if (known.rejection() != null || known.nodeNames() != null) {
        return null;
      }
      if (!known.skipped()) {
        asked.add(filter);
      }
    }
    return node -> {
      for (Filter filter : asked) {
        if (filter.test(node) != Filter.PASSES) {
          return false;
        }
      }
      return true;
    };
  }
}
