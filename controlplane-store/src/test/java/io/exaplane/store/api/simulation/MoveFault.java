// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

/** What goes wrong while a Kind moves, so that the simulation has something to find. */
enum MoveFault {
  /** A page of changes is left out. */
  SKIPPED_CHANGES,

  /** A page of keys is taken after changes that are newer. */
  OLD_PAGE,

  /** The last changes before the freeze are left out. */
  NO_LAST_CHANGES,

  /** Changes are left out, and the sums that tell so are not compared. */
  NO_SUMS,

  /** A store that was left knows nothing of it after a crash. */
  LOST_LEAVE
}
