// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A control group of the kernel that gives its processes a part of a core. */
final class CpuQuota implements AutoCloseable {
  private static final int PERIOD_US = 100_000;
  private final Path group;

  private CpuQuota(Path group) {
    this.group = group;
  }

  /** Makes a group, of cgroup v1 or v2, as the machine has. */
  static CpuQuota of(double cores) throws IOException {
    long quota = Math.round(cores * PERIOD_US);
    Path v1 = Path.of("/sys/fs/cgroup/cpu");
    boolean old = Files.exists(v1.resolve("cpu.cfs_quota_us"));
    Path group =
        (old ? v1 : Path.of("/sys/fs/cgroup")).resolve("exaplane-" + ProcessHandle.current().pid());
    Files.createDirectories(group);
    CpuQuota made = new CpuQuota(group);
    try {
      made.limit(old, quota);
    } catch (IOException e) {
      made.close();
      throw e;
    }
    return made;
  }

  private void limit(boolean old, long quota) throws IOException {
    if (old) {
      Files.writeString(group.resolve("cpu.cfs_period_us"), Long.toString(PERIOD_US));
      Files.writeString(group.resolve("cpu.cfs_quota_us"), Long.toString(quota));
    } else {
      Files.writeString(group.resolve("cpu.max"), quota + " " + PERIOD_US);
    }
  }

  /** All threads of a process are in it from now on. */
  void take(long pid) throws IOException {
    Files.writeString(group.resolve("cgroup.procs"), Long.toString(pid));
  }

  /** Removes the group; its processes must have ended. */
  @Override
  public void close() throws IOException {
    Files.deleteIfExists(group);
  }
}
