// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.kubelets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessUsageTest {
  @TempDir private Path proc;

  private void process(int pid, String name, int user, int system, int children, int pssKib)
      throws IOException {
    Path folder = Files.createDirectory(proc.resolve(Integer.toString(pid)));
    Files.writeString(
        folder.resolve("stat"),
        "%d (%s) S 1 2 3 4 5 6 7 8 9 10 %d %d %d 0 20 0 1"
            .formatted(pid, name, user, system, children));
    Files.writeString(
        folder.resolve("smaps_rollup"),
        "55 [rollup]\nRss:  9999 kB\nPss:  %d kB\nPss_Dirty:  1 kB\n".formatted(pssKib));
  }

  @Test
  void processesOfAProgramAreOne() throws IOException {
    process(11, "kubelet", 100, 50, 0, 1024);
    process(12, "kubelet", 100, 0, 0, 1024);
    process(13, "a (b) c", 0, 0, 300, 512);
    Map<String, ProcessUsage> all = ProcessUsage.of(proc, Stream.of(11L, 12L, 13L, 14L));
    assertThat(all)
        .isEqualTo(
            Map.of(
                "kubelet", new ProcessUsage(2.5, 2 << 20),
                "a (b) c", new ProcessUsage(3, 512 << 10)));
  }

  @Test
  void aProcessThatIsNewCountsWhole() {
    ProcessUsage now = new ProcessUsage(5, 0);
    assertThat(now.cpuSince(Optional.of(new ProcessUsage(2, 0)))).isEqualTo(3);
    assertThat(now.cpuSince(Optional.empty())).isEqualTo(5);
  }
}
