// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * A network of this machine that swallows every packet, until it is closed: a cable whose other end
 * has no address. Used by one thread.
 */
final class BlackHole implements AutoCloseable {
  private final String device = "exahole" + ProcessHandle.current().pid() % 10_000_000;

  private BlackHole() {}

  /** Swallows what goes to these addresses. */
  static BlackHole of(String cidr) throws IOException, InterruptedException {
    BlackHole hole = new BlackHole();
    ip("link", "add", hole.device, "type", "veth", "peer", "name", hole.device + "p");
    try {
      // Nobody is asked who has an address, since no answer would be an error at once.
      ip("link", "set", hole.device, "arp", "off");
      ip("link", "set", hole.device + "p", "up");
      ip("link", "set", hole.device, "up");
      ip("route", "replace", cidr, "dev", hole.device);
      return hole;
    } catch (IOException | InterruptedException | AssertionError e) {
      hole.close();
      throw e;
    }
  }

  private static void ip(String... words) throws IOException, InterruptedException {
    String[] command = new String[words.length + 1];
    command[0] = "ip";
    System.arraycopy(words, 0, command, 1, words.length);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("ip %s: %s", String.join(" ", words), said).isZero();
  }

  @Override
  public void close() throws IOException {
    try {
      ip("link", "del", device);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
