// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * tayga between the hosts, which have IPv6 alone, and an address of this machine that has IPv4
 * alone. The prefix is not 64:ff9b::/96, which must not stand for addresses of documentation. One
 * thread.
 */
final class Nat64 implements AutoCloseable {
  static final String PREFIX = "fd00:e:64::/96";

  /** The translator's own address on the bridge. */
  static final String ADDRESS = "fd00:e:1::64";

  /** Where servers with IPv4 alone listen on this machine. */
  static final String SERVER = "192.0.2.1";

  /** As which a server sees its clients. */
  static final String CLIENTS = "198.51.100.";

  private static final String LINK = "exj-v4";
  private final Namespace namespace;
  private final Process tayga;

  private Nat64(Namespace namespace, Process tayga) {
    this.namespace = namespace;
    this.tayga = tayga;
  }

  /**
   * Starts the translator; the bridge must be there.
   *
   * @param folder takes its files
   */
  static Nat64 start(Path folder) throws IOException {
    Namespace namespace = Namespace.make("exj-nat64");
    try {
      namespace.toCore("exj-core-64", ADDRESS);
      Provider.routes(namespace);
      Shell.may("ip", "link", "delete", LINK);
      Shell.must("ip", "link", "add", LINK, "type", "veth", "peer", "v4", "netns", namespace.name);
      Shell.must("ip", "address", "add", SERVER + "/24", "dev", LINK);
      Shell.must("ip", "link", "set", LINK, "up");
      namespace.ip("address", "add", "192.0.2.2/24", "dev", "v4");
      namespace.ip("link", "set", "v4", "up");
      Shell.must("ip", "route", "replace", CLIENTS + "0/24", "via", "192.0.2.2");
      return new Nat64(namespace, translate(namespace, folder));
    } catch (IOException | IllegalStateException e) {
      namespace.close();
      throw e;
    }
  }

  private static Process translate(Namespace namespace, Path folder) throws IOException {
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
    namespace.inside("tayga", "--config", configuration.toString(), "--mktun");
    namespace.ip("link", "set", "nat64", "up");
    namespace.ip("route", "add", CLIENTS + "0/24", "dev", "nat64");
    namespace.ip("-6", "route", "add", PREFIX, "dev", "nat64");
    List<String> command = new ArrayList<>(List.of("setpriv", "--pdeathsig=KILL"));
    command.addAll(namespace.entering("tayga", "--config", configuration.toString(), "-d"));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("tayga.log").toFile())
        .start();
  }

  @Override
  public void close() throws IOException {
    tayga.destroyForcibly().onExit().join();
    namespace.close();
    Shell.may("ip", "link", "delete", LINK);
  }
}
