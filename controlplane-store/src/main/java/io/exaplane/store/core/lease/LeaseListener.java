// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.lease;

/** Learns of changes of leases, in their order. Called by the writer. */
public interface LeaseListener {
  LeaseListener NONE =
      new LeaseListener() {
        @Override
        public void changed(Lease lease) {}

        @Override
        public void ended(Lease lease) {}

        @Override
        public void passed(long nowMs) {}
      };

  /** A lease is new or ends at another time. */
  void changed(Lease lease);

  /** A lease is no more; its keys were deleted. */
  void ended(Lease lease);

  /** It is that late, in milliseconds of the leases' clock. */
  void passed(long nowMs);
}
