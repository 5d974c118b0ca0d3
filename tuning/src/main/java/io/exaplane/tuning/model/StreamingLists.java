// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.model;

import io.exaplane.tuning.version.MinorVersion;

/**
 * Watches that begin with a stream of all objects (KEP-3157): in 1.34 to 1.36 they hold the lock
 * that writes to a watch cache wait for, too long where there are many objects (kubernetes #138728,
 * #139526).
 */
public final class StreamingLists {
  private static final double LARGE_OBJECTS = 200_000;

  private StreamingLists() {}

  /** Whether they do so in kube-apiservers of a version, of a resource with this many objects. */
  public static boolean starveWriters(MinorVersion server, double objects) {
    return server.atLeast(34) && !server.atLeast(37) && objects >= LARGE_OBJECTS;
  }
}
