// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.alerts;

import io.exaplane.tuning.version.MinorVersion;

/**
 * What the rules depend on.
 *
 * @param version of the hosted clusters
 * @param storeNetworkBytes that the network of a store carries, in bytes a second
 */
public record AlertInputs(MinorVersion version, double storeNetworkBytes) {
  /** 10 Gbit/s, in bytes a second. */
  public static final double USUAL_NETWORK = 1.25e9;

  /** Of a version, and the usual network. */
  public static AlertInputs of(MinorVersion version) {
    return new AlertInputs(version, USUAL_NETWORK);
  }
}
