// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** Names that users and their scripts rely on. */
public final class Names {
  public static final String GROUP = "exaplane.io";
  public static final String VERSION = "v1alpha1";
  public static final String MANAGED_BY_LABEL = "app.kubernetes.io/managed-by";
  public static final String MANAGED_BY = "exaplane";
  public static final String MANAGED_BY_SELECTOR = MANAGED_BY_LABEL + "=" + MANAGED_BY;

  /** On the operator's objects of a NodePool, in both clusters: the name of the NodePool. */
  public static final String NODE_POOL_LABEL = GROUP + "/node-pool";

  /** With the object's own name: it may be deleted though it is protected. */
  public static final String ALLOW_DELETION = GROUP + "/allow-deletion";

  /** With a new value: restarts of before count no more against the budget. */
  public static final String RELEASE_RESTARTS = GROUP + "/release-restarts";

  /** Names of gates, with commas: they hold the rollout that is under way no longer. */
  public static final String ROLLOUT_OVERRIDE = GROUP + "/rollout-override";

  /** Short name of the CAs that nodes are to trust: the old CA goes, whoever does not follow. */
  public static final String ROTATION_OVERRIDE = GROUP + "/rotation-override";

  private Names() {}
}
