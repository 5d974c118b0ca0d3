// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.DomainSums;
import io.exaplane.scheduler.engine.model.Pod;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.model.device.ResourceClaim;
import java.util.List;

/**
 * A filter plugin with one class of pods in mind. It looks at the cluster as it is at the time of
 * each call, as long as nodes and surroundings stay as they were when it was made. Its cluster's
 * thread only.
 */
public abstract class Filter {
  /** What {@link #test} answers for a node that does. */
  public static final long PASSES = 0;

  private final String plugin;

  protected Filter(String plugin) {
    this.plugin = plugin;
  }

  public final String plugin() {
    return plugin;
  }

  /** Called at the beginning of each cycle. */
  public PreFilter prepare() {
    return PreFilter.ALL_NODES;
  }

  /** The same for a pod of the class, if it depends on which. */
  public PreFilter prepare(Pod pod) {
    return prepare();
  }

  /** Why a pod has to wait before anybody asks for it (PreEnqueue), or null. */
  public Status gate(Pod pod) {
    return null;
  }

  /** What a pod's claims are given on a node that passed, beside what they have. */
  public List<Grant> grants(int node) {
    return List.of();
  }

  /** Whether the pod that it was prepared for claims devices. */
  public boolean hasClaims() {
    return false;
  }

  /** Claims that could be given up for a pod that found no node; the first is as good as others. */
  public List<ResourceClaim> idleClaims(Pod pod) {
    return List.of();
  }

  /** What scores nodes by what this found out about them; null if the plugin's own scorer does. */
  public Scorer scorer() {
    return null;
  }

  /** {@link #PASSES}, or a number that {@link #explain} turns into words. */
  public abstract long test(int node);

  /** What a refusal by {@link #test} means: the same verdict means the same for every node. */
  public abstract Status explain(long verdict);

  /** Whether the node might do if other pods went; the code of what {@link #explain} says. */
  public boolean isResolvable(long verdict) {
    return explain(verdict).isResolvable();
  }

  /** What {@link #test} depends on. */
  public Scope scope() {
    return Scope.CLUSTER;
  }

  /**
   * Of nodes with the same coordinates {@link #test} says the same at the same time. Null if there
   * is nothing of the kind for one that depends on the {@link Scope#CLUSTER}.
   */
  public List<Coordinate> coordinates() {
    return null;
  }

  /**
   * A pod came back to its node for the time of a thought; what is counted by itself already is not
   * told.
   */
  public void added(PodSpec pod, int node) {}

  /** A pod was taken from its node for the time of a thought. */
  public void removed(PodSpec pod, int node) {}

  /** A pod that waits for the node was put onto it for the time of a thought. */
  public void hosted(PodSpec pod, int node) {
    added(pod, node);
  }

  /** All pods that were {@link #hosted} are gone. */
  public void unhosted(PodSpec pod, int node) {
    removed(pod, node);
  }

  /** The sums by domain that it looks at. */
  public List<DomainSums> sums() {
    return List.of();
  }

  /** Lets go of what the cluster keeps up to date for it. */
  public void close() {}
}
