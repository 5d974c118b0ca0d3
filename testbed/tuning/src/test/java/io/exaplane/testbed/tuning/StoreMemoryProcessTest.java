// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.sun.management.OperatingSystemMXBean;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import io.exaplane.tuning.model.Store;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store of ours says that it takes in this machine's memory is what the model has. */
class StoreMemoryProcessTest {
  private static final Pattern QUOTA =
      Pattern.compile("(?m)^etcd_server_quota_backend_bytes(?:\\{[^}]*})? (\\S+)");
  @TempDir private Path folder;

  @Test
  void aStoreTakesAsMuchOfItsMemoryAsTheModelSays() throws Exception {
    String url = "http://127.0.0.1:" + Machine.freePort();
    List<String> command = Machine.storeCommand();
    command.addAll(List.of("--durability=memory", "--listen-client-urls=" + url));
    try (Server _ =
        Server.start(command, Map.of(), URI.create(url + "/readyz"), folder.resolve("store.log"))) {
      Matcher quota = QUOTA.matcher(Http.get(URI.create(url + "/metrics")).body());
      assertThat(quota.find()).isTrue();
      var machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
      // A segment or two that are open, and a heap in whole regions.
      assertThat(Double.parseDouble(quota.group(1)))
          .isCloseTo(Store.quota(machine.getTotalMemorySize()), withinPercentage(2));
    }
  }
}
