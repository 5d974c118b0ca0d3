// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * tayga between the hosts, which have IPv6 alone, and a server that has IPv4 alone. Both are in
 * namespaces of their own: this machine may use the same addresses. The prefix is not 64:ff9b::/96,
 * which must not stand for addresses of documentation. One thread.
 */
final class Nat64 implements AutoCloseable {
  static final String PREFIX = "fd00:e:64::/96";

  /** The translator's own address on the bridge. */
  static final String ADDRESS = "fd00:e:1::64";

  /** Where the server listens, at {@link Pods#PORT}. It has the page of pods. */
  static final String SERVER = "192.0.2.1";

  /** As which the server sees its clients. */
  static final String CLIENTS = "198.51.100.";

  /** The name by which the server answers. */
  static final String NAME = "v4-only";

  private final Deque<Closeable> open = new ArrayDeque<>();

  /**
   * Starts translator and server; the bridge must be there.
   *
   * @param folder takes their files
   */
  static Nat64 start(Path folder) throws IOException {
    Nat64 made = new Nat64();
    try {
      Namespace translator = Namespace.make("exj-nat64");
      made.open.push(translator::close);
      translator.toCore("exj-core-64", ADDRESS);
      Provider.routes(translator);
      made.startServer(translator, Files.createDirectory(folder.resolve("v4")));
      made.startTranslator(translator, folder);
    } catch (IOException | IllegalStateException e) {
      made.close();
      throw e;
    }
    return made;
  }

  private void startServer(Namespace translator, Path folder) throws IOException {
    Namespace server = Namespace.make("exj-v4");
    open.push(server::close);
    server.ip("link", "add", "v4", "type", "veth", "peer", "v4", "netns", translator.name);
    server.ip("address", "add", SERVER + "/24", "dev", "v4");
    server.ip("link", "set", "v4", "up");
    translator.ip("address", "add", "192.0.2.2/24", "dev", "v4");
    translator.ip("link", "set", "v4", "up");
    server.ip("route", "add", CLIENTS + "0/24", "via", "192.0.2.2");
    Image.page(folder);
    start(
        server,
        folder.resolve("httpd.log"),
        "env",
        "HOSTNAME=" + NAME,
        "busybox",
        "httpd",
        "-f",
        "-v",
        "-p",
        SERVER + ":" + Pods.PORT,
        "-h",
        folder.toString());
  }

  private void startTranslator(Namespace translator, Path folder) throws IOException {
    Path configuration =
        Files.writeString(
            folder.resolve("tayga.conf"),
            """
            tun-device nat64
            ipv4-addr %1$s1
            ipv6-addr fd00:e:65::1
            prefix %2$s
            dynamic-pool %1$s0/24
            data-dir %3$s
            """
                .formatted(CLIENTS, PREFIX, folder));
    translator.inside("tayga", "--config", configuration.toString(), "--mktun");
    translator.ip("link", "set", "nat64", "up");
    translator.ip("route", "add", CLIENTS + "0/24", "dev", "nat64");
    translator.ip("-6", "route", "add", PREFIX, "dev", "nat64");
    Path log = folder.resolve("tayga.log");
    start(translator, log, "tayga", "--config", configuration.toString(), "-d");
  }

  /** Starts a program that ends with the test. */
  private void start(Namespace namespace, Path log, String... program) throws IOException {
    List<String> command = new ArrayList<>(List.of("setpriv", "--pdeathsig=KILL"));
    command.addAll(namespace.entering(program));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    open.push(() -> process.destroyForcibly().onExit().join());
  }

  @Override
  public void close() throws IOException {
    while (!open.isEmpty()) {
      open.pop().close();
    }
  }
}
