// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import java.time.Duration;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;

/** Two nodes, for as long as kube-controller-manager needs to act. */
@Order(41)
@Tag("guard")
class GuardE2E extends CutEndpoint {
  GuardE2E() {
    super(Duration.ofSeconds(75), "w4", "w5");
  }
}
