// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.hosted;

import java.time.Instant;

/**
 * A bootstrap token of a hosted cluster. Immutable.
 *
 * @param id its public half
 * @param secret its other half; never to be shown
 * @param expires when it ends, in whole seconds
 */
public record BootstrapToken(String id, String secret, Instant expires) {
  /** As a client sends it. */
  public String text() {
    return id + "." + secret;
  }

  /** Without what opens the cluster. */
  @Override
  public String toString() {
    return "BootstrapToken[id=%s, expires=%s]".formatted(id, expires);
  }
}
