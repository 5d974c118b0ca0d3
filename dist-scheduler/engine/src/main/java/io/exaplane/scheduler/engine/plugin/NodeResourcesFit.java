// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Amounts;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.NodeTable;
import io.exaplane.scheduler.engine.model.PodClass;
import io.exaplane.scheduler.engine.model.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Keeps pods from nodes without enough free resources, and scores the others by what is free.
 *
 * @param ignoredResources extended resources that are not looked at
 * @param ignoredResourceGroups groups of extended resources, the part before the slash, that are
 *     not looked at
 * @param version from 1.36 on, DynamicResources looks for resources of which a node has none and
 *     that stand for devices
 */
public record NodeResourcesFit(
    ScoringStrategy strategy,
    Set<String> ignoredResources,
    Set<String> ignoredResourceGroups,
    Version version)
    implements Plugin {
  private static final String NAME = "NodeResourcesFit";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Filter filter(PodClass pods, Cluster cluster) {
    return new FitFilter(pods, cluster, scalarsThatCount(pods, cluster), leavesToDevices());
  }

  @Override
  public Scorer scorer(PodClass pods, Cluster cluster) {
    ScoredResources resources =
        new ScoredResources(
            cluster, strategy.resources(), pods.spec().requests().fitScore(), true, version);
    return new Scorer(NAME) {
      @Override
      public Scope scope() {
        return Scope.PODS_OF_NODE;
      }

      @Override
      public long score(int node) {
        resources.look(node);
        return strategy.score(resources.requestedWithPod, resources.allocatable);
      }
    };
  }

  /** Whether devices may take the place of resources. */
  public boolean leavesToDevices() {
    return version.atLeast(Version.V1_36);
  }

  /** Places in the class's scalars of those that are asked for and looked at. */
  private int[] scalarsThatCount(PodClass pods, Cluster cluster) {
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < pods.scalarIds().length; i++) {
      String name = cluster.scalarName(pods.scalarIds()[i]);
      if (pods.scalarsToFit()[i] > 0 && !isIgnored(name)) {
        places.add(i);
      }
    }
    return places.stream().mapToInt(i -> i).toArray();
  }

  private boolean isIgnored(String name) {
    return Amounts.isExtended(name)
        && (ignoredResources.contains(name)
            || ignoredResourceGroups.contains(name.substring(0, name.indexOf('/'))));
  }

  /**
   * A verdict has a bit for each resource that is short, and one if it is more than the node would
   * have with no pods.
   */
  private static final class FitFilter extends Filter {
    private static final long PODS = 1;
    private static final long CPU = 2;
    private static final long MEMORY = 4;
    private static final long STORAGE = 8;
    private static final int FIRST_SCALAR = 4;
    private static final long NEVER = Long.MIN_VALUE;

    private final NodeTable nodes;
    private final long milliCpu;
    private final long memory;
    private final long storage;
    private final int[] scalarIds;
    private final long[] scalars;
    private final String[] scalarNames;

    /** Whether devices may take the place of a scalar resource. */
    private final boolean[] devices;

    FitFilter(PodClass pods, Cluster cluster, int[] places, boolean leavesToDevices) {
      super(NAME);
      nodes = cluster.nodes();
      Amounts wanted = pods.spec().requests().toFit();
      milliCpu = wanted.milliCpu();
      memory = wanted.memoryBytes();
      storage = wanted.ephemeralStorageBytes();
      scalarIds = new int[places.length];
      scalars = new long[places.length];
      scalarNames = new String[places.length];
      devices = new boolean[places.length];
      for (int i = 0; i < places.length; i++) {
        scalarIds[i] = pods.scalarIds()[places[i]];
        scalars[i] = pods.scalarsToFit()[places[i]];
        scalarNames[i] = cluster.scalarName(scalarIds[i]);
        devices[i] =
            leavesToDevices && cluster.surroundings().classOfResource(scalarNames[i]) != null;
      }
    }

    @Override
    public long test(int node) {
      long verdict = nodes.podCount(node) + 1 > nodes.allowedPods(node) ? PODS : PASSES;
      if (milliCpu > 0) {
        verdict |=
            shortage(milliCpu, nodes.allocatableMilliCpu(node), nodes.requestedMilliCpu(node), CPU);
      }
      if (memory > 0) {
        verdict |=
            shortage(memory, nodes.allocatableMemory(node), nodes.requestedMemory(node), MEMORY);
      }
      if (storage > 0) {
        verdict |=
            shortage(
                storage, nodes.allocatableStorage(node), nodes.requestedStorage(node), STORAGE);
      }
      for (int i = 0; i < scalars.length; i++) {
        int scalar = scalarIds[i];
        long allocatable = nodes.allocatableScalar(node, scalar);
        if (!devices[i] || allocatable > 0) {
          long taken = nodes.requestedScalar(node, scalar);
          verdict |= shortage(scalars[i], allocatable, taken, 1L << (FIRST_SCALAR + i));
        }
      }
      return verdict;
    }

    private static long shortage(long wanted, long allocatable, long requested, long bit) {
      return wanted <= allocatable - requested ? PASSES : wanted > allocatable ? bit | NEVER : bit;
    }

    @Override
    public Scope scope() {
      return Scope.PODS_OF_NODE;
    }

    @Override
    public boolean isResolvable(long verdict) {
      return (verdict & NEVER) == 0;
    }

    @Override
    public Status explain(long verdict) {
      List<String> reasons = new ArrayList<>();
      if ((verdict & PODS) != 0) {
        reasons.add("Too many pods");
      }
      if ((verdict & CPU) != 0) {
        reasons.add("Insufficient cpu");
      }
      if ((verdict & MEMORY) != 0) {
        reasons.add("Insufficient memory");
      }
      if ((verdict & STORAGE) != 0) {
        reasons.add("Insufficient ephemeral-storage");
      }
      for (int i = 0; i < scalars.length; i++) {
        if ((verdict & 1L << (FIRST_SCALAR + i)) != 0) {
          reasons.add("Insufficient " + scalarNames[i]);
        }
      }
      return new Status(
          NAME,
          isResolvable(verdict) ? Code.UNSCHEDULABLE : Code.UNSCHEDULABLE_AND_UNRESOLVABLE,
          reasons);
    }
  }
}
