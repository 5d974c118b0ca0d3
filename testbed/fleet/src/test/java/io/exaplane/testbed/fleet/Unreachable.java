// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * A network to which this machine has no route, until it is closed: whoever connects there is told
 * so at once. Used by one thread.
 */
final class Unreachable implements AutoCloseable {
  private final String cidr;

  private Unreachable(String cidr) {
    this.cidr = cidr;
  }

  /** Refuses what goes to these addresses. */
  static Unreachable of(String cidr) throws IOException, InterruptedException {
    ip("replace", cidr);
    return new Unreachable(cidr);
  }

  private static void ip(String act, String cidr) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("ip", "route", act, "unreachable", cidr)
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("ip route %s %s: %s", act, cidr, said).isZero();
  }

  @Override
  public void close() throws IOException {
    try {
      ip("del", cidr);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
