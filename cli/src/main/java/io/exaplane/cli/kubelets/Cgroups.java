// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.kubelets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The root groups of kubelets, which kubelets do not make themselves. One thread. */
final class Cgroups {
  private static final List<String> CPUSET = List.of("cpuset.cpus", "cpuset.mems");

  private final Path mount;

  /** Below where groups are mounted: /sys/fs/cgroup. */
  Cgroups(Path mount) {
    this.mount = mount;
  }

  /** Whether there is one hierarchy: version 2. */
  boolean isUnified() {
    return Files.exists(mount.resolve("cgroup.controllers"));
  }

  /** Makes the group: one in each controller of version 1, or one of version 2. */
  void make(String name) {
    try {
      if (isUnified()) {
        String all = Files.readString(mount.resolve("cgroup.controllers")).strip();
        String enable =
            Arrays.stream(all.split(" ")).map(each -> "+" + each).collect(Collectors.joining(" "));
        Files.writeString(mount.resolve("cgroup.subtree_control"), enable);
        Files.createDirectories(mount.resolve(name));
        return;
      }
      for (Path controller : folders(mount)) {
        Path group = Files.createDirectories(controller.resolve(name));
        if (controller.endsWith("cpuset")) {
          // Empty ones would let no process in.
          for (String file : CPUSET) {
            Files.write(group.resolve(file), Files.readAllBytes(controller.resolve(file)));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "group %s cannot be made below %s: %s; run the command where cgroups can be written"
              .formatted(name, mount, e.getMessage()),
          e);
    }
  }

  /**
   * Removes all groups whose names begin so, with those inside.
   *
   * @return whether none is left
   */
  boolean remove(String prefix) {
    boolean isGone = true;
    try {
      for (Path top : isUnified() ? List.of(mount) : folders(mount)) {
        for (Path group : folders(top)) {
          if (group.getFileName().toString().startsWith(prefix)) {
            isGone &= removeWhole(group);
          }
        }
      }
    } catch (IOException e) {
      return false;
    }
    return isGone;
  }

  private static boolean removeWhole(Path group) throws IOException {
    boolean isGone = true;
    for (Path inside : folders(group)) {
      isGone &= removeWhole(inside);
    }
    // Files of a group go with it, so no library that removes trees can do this.
    return group.toFile().delete() && isGone;
  }

  private static List<Path> folders(Path parent) throws IOException {
    try (Stream<Path> all = Files.list(parent)) {
      return all.filter(Files::isDirectory).filter(each -> !Files.isSymbolicLink(each)).toList();
    }
  }
}
