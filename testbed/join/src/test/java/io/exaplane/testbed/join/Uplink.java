// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import java.io.IOException;

/** What a host is plugged into. One thread. */
interface Uplink {
  /** Gives the namespace an {@code eth0} that leads there, without what was left of another. */
  void plug(String namespace) throws IOException;

  /** Gives a host that has booted its addresses and routes, and the way back to them. */
  void configure(Host host) throws IOException;

  /** Takes away what {@link #plug} made outside of the namespace. */
  void unplug() throws IOException;

  /** The host's own address. */
  String address();

  /** The prefix for the host's pods. */
  String prefix();
}
