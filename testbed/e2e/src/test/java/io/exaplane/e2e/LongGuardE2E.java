// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import java.time.Duration;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;

/** Three nodes, for two minutes. */
@Order(48)
@Tag("long")
class LongGuardE2E extends CutEndpoint {
  LongGuardE2E() {
    super(Duration.ofMinutes(2), "w4", "w5", "w8");
  }
}
