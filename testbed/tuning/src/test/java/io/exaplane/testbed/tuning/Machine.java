// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What the launcher says of this machine. */
final class Machine {
  private Machine() {}

  /** A component's binary, of the version under test. */
  static String binary(String component) {
    return kubernetes().resolve(component).toString();
  }

  /** The version under test, as 1.36.3. */
  static String version() {
    return kubernetes().getFileName().toString().replaceFirst("^kube-", "");
  }

  /** The words of the command that starts our store. */
  static List<String> store() {
    return new ArrayList<>(List.of(environment("EXA_STORE").trim().split(" +")));
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static Path kubernetes() {
    return Path.of(environment("EXA_KUBE"));
  }

  private static String environment(String name) {
    String value = System.getenv(name);
    if (value == null) {
      throw new IllegalStateException(name + " is not set; run './exa test', which sets it");
    }
    return value;
  }
}
