// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.app;

/** A process below the root. Any thread. */
interface TreeProcess extends AutoCloseable {
  /** What it does. */
  String role();

  /** Whether the root knows it. */
  boolean isMember();

  /** Does it until its thread is interrupted. */
  void run();

  @Override
  void close();
}
