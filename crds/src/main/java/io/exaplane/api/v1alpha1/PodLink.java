// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** How the pods of a node are linked to their host. */
public enum PodLink {
  /** All pods of a node are on one bridge of the host, as on one link. */
  Bridge,
  /** Each pod has a link of its own to the host, which routes every packet. */
  PointToPoint
}
