// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.metrics;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** The process' metrics under the names that Prometheus' client libraries agree on. Linux. */
final class ProcessMetrics {
  private static final int PAGE_BYTES = 4096;
  private static final int VIRTUAL_FIELD = 0;
  private static final int RESIDENT_FIELD = 1;
  private static final double NANOS = 1e9;
  private static final double MILLIS = 1e3;

  private ProcessMetrics() {}

  static void add(Snapshots out) {
    var system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long open = system.getOpenFileDescriptorCount();
    long most = system.getMaxFileDescriptorCount();
    out.gauge("process_open_fds", "Open file descriptors.", open);
    out.gauge("process_max_fds", "Largest number of open file descriptors.", most);
    out.gauge("os_fd_used", "Open file descriptors.", open);
    out.gauge("os_fd_limit", "Largest number of open file descriptors.", most);
    out.counter("process_cpu_seconds_total", "CPU time used.", system.getProcessCpuTime() / NANOS);
    out.gauge(
        "process_start_time_seconds",
        "Start of the process, in seconds since 1970.",
        ManagementFactory.getRuntimeMXBean().getStartTime() / MILLIS);
    out.gauge("process_resident_memory_bytes", "Memory in use.", bytes(RESIDENT_FIELD));
    out.gauge("process_virtual_memory_bytes", "Address space in use.", bytes(VIRTUAL_FIELD));
  }

  private static long bytes(int field) {
    try {
      String[] fields = Files.readString(Path.of("/proc/self/statm")).split(" ");
      return Long.parseLong(fields[field]) * PAGE_BYTES;
    } catch (IOException e) {
      return 0;
    }
  }
}
