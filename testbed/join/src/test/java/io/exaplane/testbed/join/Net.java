// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import io.exaplane.testbed.machine.Machine;
import java.io.IOException;
import java.nio.channels.FileChannel;

/** The test's network: one bridge on which the API and all hosts are. One thread. */
final class Net implements AutoCloseable {
  static final String BRIDGE = "exj-br";
  static final String API = "fd00:e:1::1";

  /** The networks of the pool; each host has a /64 of the first, routed to it. */
  static final String POOL = "fd00:e:100::/40";

  /** An address of the API's machine that no packet leaves. */
  static final String SILENT = "fd00:e:2::1";

  private final FileChannel lock;

  private Net(FileChannel lock) {
    this.lock = lock;
  }

  /** Makes the bridge, without what a run that was cut off left. Another run is waited for. */
  static Net make() throws IOException {
    Net net = new Net(Machine.lock(BRIDGE));
    Shell.may("ip", "link", "delete", BRIDGE);
    Shell.must("ip", "link", "add", BRIDGE, "type", "bridge");
    Shell.must("ip", "-6", "address", "add", API + "/64", "dev", BRIDGE, "nodad");
    Shell.must("ip", "link", "set", BRIDGE, "up");
    return net;
  }

  @Override
  public void close() throws IOException {
    Shell.may("ip", "link", "delete", BRIDGE);
    lock.close();
  }
}
