// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.lease;

/** Learns which keys belong to which lease. Called by the writer. */
public interface LeaseKeys {
  /** The key of the slot belongs to the lease now. */
  void attach(long lease, int slot);

  /** The key of the slot no longer belongs to the lease. */
  void detach(long lease, int slot);
}
