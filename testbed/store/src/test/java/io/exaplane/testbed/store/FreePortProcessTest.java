// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Machine;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Ports of servers that tests start: nobody else gets one, and none has a listener already. */
class FreePortProcessTest {
  private static final Path CLIENTS = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
  private static final int PORTS = 50;

  @Test
  void noClientAndNoSecondServerGetsOne() throws Exception {
    // In one piece: the kernel gives the rest of a number to nobody.
    String range = Files.readAllLines(CLIENTS).getFirst();
    int clientsFrom = Integer.parseInt(range.split("\\s+")[0]);
    Set<Integer> all = new HashSet<>();
    for (int i = 0; i < PORTS; i++) {
      all.add(Machine.freePort());
    }
    assertThat(all).hasSize(PORTS).allMatch(port -> port < clientsFrom);
  }

  /** A server on one address takes the port from a server on all addresses. */
  @Test
  void aPortThatOneAddressHasIsPassedOver() throws Exception {
    List<ServerSocket> listeners = new ArrayList<>();
    try {
      for (String address : List.of("127.0.0.1", "::1", "0.0.0.0", "::")) {
        int next = Machine.freePort() + 1;
        try {
          listeners.add(new ServerSocket(next, 1, InetAddress.getByName(address)));
        } catch (BindException e) {
          // Somebody has it already, which is as good.
        }
        assertThat(Machine.freePort()).as("beside a listener on %s", address).isNotEqualTo(next);
      }
    } finally {
      for (ServerSocket listener : listeners) {
        listener.close();
      }
    }
  }
}
