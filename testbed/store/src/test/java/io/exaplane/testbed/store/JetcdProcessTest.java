// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Java's client of etcd takes ours for one. */
class JetcdProcessTest extends JetcdContract {
  @TempDir Path folder;
  private ServerProcess store;

  @Override
  String endpoint() throws Exception {
    store = ServerProcess.store(folder.resolve("store"));
    return "http://" + store.target();
  }

  @AfterEach
  void stop() {
    store.close();
  }
}
