// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.kubelets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CgroupsTest {
  @TempDir private Path mount;

  @Test
  void version1HasAGroupInEachController() throws IOException {
    Files.createDirectories(mount.resolve("memory"));
    Files.createDirectories(mount.resolve("cpuset"));
    Files.createSymbolicLink(mount.resolve("link"), mount.resolve("memory"));
    Files.writeString(mount.resolve("cpuset/cpuset.cpus"), "0-1");
    Files.writeString(mount.resolve("cpuset/cpuset.mems"), "0");
    Cgroups cgroups = new Cgroups(mount);
    assertThat(cgroups.isUnified()).isFalse();
    cgroups.make("ours-1");
    assertThat(mount.resolve("memory/ours-1")).isDirectory();
    assertThat(Files.readString(mount.resolve("cpuset/ours-1/cpuset.cpus"))).isEqualTo("0-1");
    assertThat(Files.readString(mount.resolve("cpuset/ours-1/cpuset.mems"))).isEqualTo("0");
  }

  @Test
  void version2HasOneGroupWithAllControllers() throws IOException {
    Files.writeString(mount.resolve("cgroup.controllers"), "cpu memory\n");
    Cgroups cgroups = new Cgroups(mount);
    assertThat(cgroups.isUnified()).isTrue();
    cgroups.make("ours-1");
    assertThat(mount.resolve("ours-1")).isDirectory();
    assertThat(Files.readString(mount.resolve("cgroup.subtree_control"))).isEqualTo("+cpu +memory");
  }

  @Test
  void onlyGroupsWithTheNameAreRemoved() throws IOException {
    Files.createDirectories(mount.resolve("memory/ours-1/kubepods/pod"));
    Files.createDirectories(mount.resolve("memory/other/ours-2"));
    assertThat(new Cgroups(mount).remove("ours-")).isTrue();
    assertThat(mount.resolve("memory/ours-1")).doesNotExist();
    assertThat(mount.resolve("memory/other/ours-2")).isDirectory();
  }

  @Test
  void aGroupInUseIsSaidToBeLeft() throws IOException {
    Files.createDirectories(mount.resolve("memory/ours-1"));
    // A group with processes cannot be removed; neither can a folder with a file.
    Files.writeString(mount.resolve("memory/ours-1/task"), "1");
    assertThat(new Cgroups(mount).remove("ours-")).isFalse();
  }
}
