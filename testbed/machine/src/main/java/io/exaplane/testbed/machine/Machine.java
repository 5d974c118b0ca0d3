// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.machine;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** What tests that start processes ask of the launcher and of the kernel. Any thread. */
public final class Machine {
  private Machine() {}

  /**
   * What the launcher says in a variable.
   *
   * @throws IllegalStateException if it is not set, with who sets it
   */
  public static String environment(String name) {
    String value = System.getenv(name);
    if (value == null) {
      throw new IllegalStateException(name + " is not set; run './exa test', which sets it");
    }
    return value;
  }

  /** The words of the command that starts our store; the caller's to change. */
  public static List<String> storeCommand() {
    return new ArrayList<>(List.of(environment("EXA_STORE").trim().split(" +")));
  }

  /**
   * A port of 127.0.0.1 for a server that is about to start. For a minute the kernel gives it only
   * to who asks for it by number: a connection to it is in TIME_WAIT. One that was merely free a
   * moment ago goes to any client that connects before the server is there.
   */
  public static int freePort() throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
        Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
      // Who closes first waits.
      listener.accept().close();
      client.getInputStream().read();
      return listener.getLocalPort();
    }
  }
}
