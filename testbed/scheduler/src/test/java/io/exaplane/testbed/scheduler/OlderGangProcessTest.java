// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import org.junit.jupiter.api.Tag;

/** Gangs of 1.36, on a real API server of that minor. */
@Tag("long")
class OlderGangProcessTest extends Gangs {
  @Override
  LiveApi server() throws Exception {
    return LiveApi.startWithGroupsOf136(folder);
  }

  @Override
  String version() {
    return "v1alpha2";
  }
}
