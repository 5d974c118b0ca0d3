// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.kubelets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.tuning.model.InvalidInputException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command must not delete. */
class HostMachineTest {
  private static final String MARK = ".exaplane-bench-kubelets";

  @TempDir private Path folder;

  private HostMachine machine(Path hosts) {
    return new HostMachine(
        new KubeletSettings(
            "kubelet",
            Optional.empty(),
            Optional.empty(),
            HostAddresses.of("fd00:e:1::/48"),
            hosts,
            List.of(),
            Optional.empty(),
            40,
            false),
        "no-such-group-",
        folder.resolve("lock"));
  }

  @Test
  void aFolderOfSomebodyElseStays() throws IOException {
    Path file = Files.writeString(folder.resolve("mine"), "x");
    try (HostMachine machine = machine(folder)) {
      assertThatThrownBy(machine::close)
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("exists, and this command did not make it");
    }
    assertThat(file).exists();
  }

  @Test
  void anEmptyFolderOfSomebodyElseKeepsItsMode() throws IOException {
    Path empty = Files.createDirectory(folder.resolve("empty"));
    Set<PosixFilePermission> mode = PosixFilePermissions.fromString("rwxr-xr-x");
    Files.setPosixFilePermissions(empty, mode);
    try (HostMachine machine = machine(empty)) {
      assertThatThrownBy(machine::close).hasMessageContaining("name a folder that does not exist");
    }
    assertThat(Files.getPosixFilePermissions(empty)).isEqualTo(mode);
    assertThat(empty).isEmptyDirectory();
  }

  @Test
  void aMachineWithNetworksForPodsIsANode() throws IOException {
    Path networks = Files.createDirectory(folder.resolve("net.d"));
    Requirements.requireNoNode(networks);
    Requirements.requireNoNode(folder.resolve("none"));
    Files.writeString(networks.resolve("10-x.conflist"), "{}");
    assertThatThrownBy(() -> Requirements.requireNoNode(networks))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("10-x.conflist")
        .hasMessageContaining("set --on-node");
  }

  @Test
  void whatAKilledRunLeftGoes() throws IOException {
    Path hosts = Files.createDirectories(folder.resolve("hosts/0/kubelet")).getParent().getParent();
    Files.writeString(hosts.resolve(MARK), "");
    machine(hosts).close();
    assertThat(hosts).doesNotExist();
  }

  /** Whatever folder the other run has: the bridge and the groups are the machine's. */
  @Test
  void oneRunAtATimeHasTheMachine() throws IOException {
    Path hosts = Files.createDirectories(folder.resolve("hosts/0")).getParent();
    Files.writeString(hosts.resolve(MARK), "");
    try (FileChannel other =
        FileChannel.open(
            folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      other.lock();
      try (HostMachine machine = machine(hosts)) {
        assertThatThrownBy(machine::close)
            .isInstanceOf(InvalidInputException.class)
            .hasMessageContaining("is in use by another run");
      }
    }
    assertThat(hosts.resolve("0")).isDirectory();
  }

  @Test
  void aFolderThatIsNotThereIsNotMade() {
    machine(folder.resolve("none")).close();
    assertThat(folder.resolve("none")).doesNotExist();
  }
}
