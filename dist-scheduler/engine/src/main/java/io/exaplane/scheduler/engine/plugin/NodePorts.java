// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.HostPort;
import io.exaplane.scheduler.engine.model.NodeTable;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.engine.model.PodClass;
import io.exaplane.scheduler.engine.model.PodCounter;
import io.exaplane.scheduler.engine.model.PodSpec;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Keeps pods from nodes where another pod has one of their host ports. */
public final class NodePorts implements Plugin {
  private static final String NAME = "NodePorts";
  private static final Status TAKEN =
      Status.unschedulable(NAME, "node(s) didn't have free ports for the requested pod ports");

  /** Pods that cannot be on the same node as one with these ports. */
  private record ConflictingPods(List<HostPort> ports) implements PodCounter.Matcher {
    @Override
    public int times(PodSpec pod) {
      for (HostPort wanted : ports) {
        for (HostPort taken : pod.hostPorts()) {
          if (wanted.conflictsWith(taken)) {
            return 1;
          }
        }
      }
      return 0;
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Filter filter(PodClass pods, Cluster cluster) {
    return pods.spec().hostPorts().isEmpty()
        ? null
        : new PortFilter(pods.spec().hostPorts(), cluster);
  }

  private static final class PortFilter extends Filter {
    private final List<HostPort> wanted;
    private final NodeTable nodes;
    private final PodCounter conflicting;

    /**
     * Ports that kube-scheduler takes for free while it tries what preemption would bring: it keeps
     * a set of ports a node and forgets, when one pod goes, that another may have the same.
     */
    private final Set<HostPort> freed = new HashSet<>();

    private final Set<HostPort> takenByGuests = new HashSet<>();

    PortFilter(List<HostPort> wanted, Cluster cluster) {
      super(NAME);
      this.wanted = wanted;
      nodes = cluster.nodes();
      conflicting = cluster.counter(new ConflictingPods(wanted));
    }

    @Override
    public long test(int node) {
      return conflicting.on(node) == 0 || (!freed.isEmpty() && !conflicts(node)) ? PASSES : 1;
    }

    private boolean conflicts(int node) {
      for (PlacedPod pod = nodes.firstPod(node); pod != null; pod = pod.next()) {
        for (HostPort taken : pod.spec().hostPorts()) {
          for (HostPort port : wanted) {
            if (!freed.contains(taken) && port.conflictsWith(taken)) {
              return true;
            }
          }
        }
      }
      return false;
    }

    @Override
    public Scope scope() {
      return Scope.PODS_OF_NODE;
    }

    @Override
    public void close() {
      conflicting.release();
    }

    @Override
    public Status explain(long verdict) {
      return TAKEN;
    }

    @Override
    public void added(PodSpec pod, int node) {
      freed.removeAll(pod.hostPorts());
    }

    @Override
    public void removed(PodSpec pod, int node) {
      freed.addAll(pod.hostPorts());
    }

    @Override
    public void hosted(PodSpec pod, int node) {
      for (HostPort port : pod.hostPorts()) {
        if (freed.remove(port)) {
          takenByGuests.add(port);
        }
      }
    }

    @Override
    public void unhosted(PodSpec pod, int node) {
      freed.addAll(takenByGuests);
      takenByGuests.clear();
    }
  }
}
