// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

/** Java's client of etcd takes ours for one. */
class JetcdProcessTest extends JetcdContract {
  @Override
  String endpoint() throws Exception {
    return "http://" + ServerProcess.shared().target();
  }
}
