// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.machine;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.net.BindException;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What tests that start processes ask of the launcher and of the kernel. Any thread. */
public final class Machine {
  /** Below what the kernel gives clients (from 32768), and below node ports (from 30000). */
  private static final int FIRST_PORT = 20_500;

  private static final int PORTS = 9_000;

  private static final Path LOCKS =
      Path.of(
          System.getProperty("java.io.tmpdir"),
          "exaplane-ports-" + System.getProperty("user.name"));

  /** By port; a lock ends when its channel is closed, or with the process. */
  private static final Map<Integer, FileChannel> TAKEN = new HashMap<>();

  /** Processes begin at different ports, and each goes on from there. */
  private static int lastPort = (int) (ProcessHandle.current().pid() * 97 % PORTS);

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
   * A port that is free on all addresses, for a server that is about to start, or to start again.
   * It stays this process's until its end: the kernel gives no client a port of this range, and a
   * file is locked for each port, so that no other process of tests gets it.
   *
   * @throws IOException if the locks can't be written, or no port is free
   */
  public static synchronized int freePort() throws IOException {
    Files.createDirectories(LOCKS);
    for (int i = 0; i < PORTS; i++) {
      lastPort = (lastPort + 1) % PORTS;
      int port = FIRST_PORT + lastPort;
      if (!TAKEN.containsKey(port) && take(port)) {
        return port;
      }
    }
    throw new IOException(
        "no port from %d to %d is free; 'ss -ltnp' lists who listens, and %s has the locks"
            .formatted(FIRST_PORT, FIRST_PORT + PORTS - 1, LOCKS));
  }

  /**
   * How many times longer work takes now than on a machine that has nothing else to do, at least 1:
   * by the load of the last minute, for figures that must be chosen before the work begins.
   */
  public static double busyness() {
    OperatingSystemMXBean machine = ManagementFactory.getOperatingSystemMXBean();
    return Math.max(1, machine.getSystemLoadAverage() / machine.getAvailableProcessors());
  }

  /**
   * Waits for what only one process of this machine can have at a time, such as a bridge of a fixed
   * name. Who closes the channel, or ends, gives it to the next one.
   */
  public static FileChannel lock(String name) throws IOException {
    Files.createDirectories(LOCKS);
    FileChannel file =
        FileChannel.open(LOCKS.resolve(name), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      file.lock();
    } catch (OverlappingFileLockException e) {
      // A test of this process that failed left it, and nobody else has it.
      System.err.println(name + " is held by this process already");
    }
    return file;
  }

  private static boolean take(int port) throws IOException {
    FileChannel file =
        FileChannel.open(
            LOCKS.resolve(Integer.toString(port)),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE);
    if (file.tryLock() == null || !isFree(port)) {
      file.close();
      return false;
    }
    TAKEN.put(port, file);
    return true;
  }

  private static boolean isFree(int port) throws IOException {
    try (ServerSocket _ = new ServerSocket(port, 1)) {
      return true;
    } catch (BindException e) {
      return false;
    }
  }
}
