// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.event;

/**
 * A kind of change: to what, and in which way. Source: k8s.io/kube-scheduler/framework,
 * ClusterEvent and ActionType.
 *
 * @param actions bits; one that tells more than others is larger
 */
public record ClusterEvent(Resource resource, int actions) {
  public static final int ADD = 1;
  public static final int DELETE = 1 << 1;
  public static final int NODE_ALLOCATABLE = 1 << 2;
  public static final int NODE_LABEL = 1 << 3;
  public static final int NODE_TAINT = 1 << 4;
  public static final int NODE_DECLARED_FEATURE = 1 << 7;
  public static final int POD_LABEL = 1 << 8;
  public static final int POD_SCALE_DOWN = 1 << 9;
  public static final int POD_TOLERATION = 1 << 10;
  public static final int POD_GATES_ELIMINATED = 1 << 11;
  public static final int POD_CLAIMS_MADE = 1 << 12;

  /** A change of which nothing more is known: all bits of updates. */
  public static final int UPDATE = (1 << 13) - 1 - ADD - DELETE;

  private static final int ALL = (1 << 13) - 1;

  /** Time has passed, or somebody asks for another try: any plugin may think otherwise now. */
  public static final ClusterEvent WILDCARD = new ClusterEvent(Resource.ANY, ALL);

  /** Whether it stands for any change. */
  public boolean isWildcard() {
    return resource == Resource.ANY && actions == ALL;
  }

  /** Whether those who ask for this kind of change mean that one. */
  public boolean includes(ClusterEvent other) {
    return isWildcard()
        || (resource.includes(other.resource)
            && (actions & other.actions) != 0
            && other.actions <= actions);
  }
}
