// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.sun.management.OperatingSystemMXBean;
import io.exaplane.testbed.machine.Http;
import io.exaplane.tuning.model.Store;
import java.lang.management.ManagementFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a store of ours says that it takes in this machine's memory is what the model has. */
@ExtendWith(ControlPlanes.Given.class)
class StoreMemoryProcessTest {
  private static final Pattern QUOTA =
      Pattern.compile("(?m)^etcd_server_quota_backend_bytes(?:\\{[^}]*})? (\\S+)");

  @Test
  void aStoreTakesAsMuchOfItsMemoryAsTheModelSays(ControlPlanes controlPlanes) throws Exception {
    String page = Http.get(controlPlanes.store().page().resolve("/metrics")).body();
    Matcher quota = QUOTA.matcher(page);
    assertThat(quota.find()).isTrue();
    var machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    // A segment or two that are open, and a heap in whole regions.
    assertThat(Double.parseDouble(quota.group(1)))
        .isCloseTo(Store.quota(machine.getTotalMemorySize()), withinPercentage(2));
  }
}
