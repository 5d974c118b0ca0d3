// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.event;

import io.exaplane.scheduler.engine.model.Pod;

/** A plugin's guess: it has no state, and may be asked about any pod that it refused. */
@FunctionalInterface
public interface Hint {
  /** What a plugin says that does not look any closer. */
  Hint ALWAYS = (pod, change) -> true;

  /** Whether a pod that the plugin refused might be taken after the change. */
  boolean mayHelp(Pod pod, Change change);
}
