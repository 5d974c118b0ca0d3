// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.apply.port.ServerLoad;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LoadPageTest {
  private static ServerLoad read(String page) {
    return LoadPage.read(page.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void findsTheFiguresAndAddsThoseOfAllLevels() {
    ServerLoad load =
        read(
            """
            # HELP go_gc_gomemlimit_bytes Go runtime memory limit
            go_gc_gomemlimit_bytes 4.5613056e+08
            go_gc_heap_live_bytes 1.5e+08
            go_gc_cycles_total_gc_cycles_total 41
            process_resident_memory_bytes 3.1e+08
            apiserver_flowcontrol_current_executing_seats{flow_schema="a",priority_level="low"} 3
            apiserver_flowcontrol_current_executing_seats{flow_schema="b",priority_level="high"} 4
            apiserver_flowcontrol_current_executing_seats{flow_schema="x",priority_level="exempt"} 50
            apiserver_flowcontrol_nominal_limit_seats{priority_level="exempt"} 0
            apiserver_flowcontrol_nominal_limit_seats{priority_level="high"} 100
            apiserver_flowcontrol_nominal_limit_seats{priority_level="low"} 200
            apiserver_flowcontrol_current_inqueue_requests{flow_schema="a",priority_level="low"} 2
            apiserver_flowcontrol_rejected_requests_total{flow_schema="a",reason="queue-full"} 9
            """);
    assertThat(load).isEqualTo(new ServerLoad(1.5e8, 3.1e8, 4.5613056e8, 7, 300, 2, 9, 41));
    assertThat(load.knowsMemory()).isTrue();
  }

  @Test
  void noLimitAndNoRefusalAreNoFigures() {
    ServerLoad load =
        read(
            """
            go_gc_gomemlimit_bytes 9.223372036854776e+18
            go_gc_heap_live_bytes 1.5e+08
            apiserver_flowcontrol_nominal_limit_seats{priority_level="low"} 200
            """);
    assertThat(load.limitBytes()).isNegative();
    assertThat(load.knowsMemory()).isFalse();
    assertThat(load.rejected()).as("a server that never refused").isZero();
    assertThat(read("<html>not here</html>")).isEqualTo(ServerLoad.UNKNOWN);
  }
}
