// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A network namespace that packets pass through: a router. It has no process of its own. One
 * thread.
 */
final class Namespace implements AutoCloseable {
  final String name;

  private Namespace(String name) {
    this.name = name;
  }

  /** Makes one that forwards, without what a run that was cut off left. */
  static Namespace make(String name) throws IOException {
    Shell.may("ip", "netns", "delete", name);
    Shell.must("ip", "netns", "add", name);
    Namespace made = new Namespace(name);
    try {
      made.ip("link", "set", "lo", "up");
      made.set("ipv6/conf/all/forwarding", "1");
      made.set("ipv4/ip_forward", "1");
    } catch (IOException | IllegalStateException e) {
      made.close();
      throw e;
    }
    return made;
  }

  /**
   * Plugs it into the bridge of the API.
   *
   * @param link name of the end on the bridge, at most 15 characters
   * @param address its address there, which has no length
   */
  void toCore(String link, String address) throws IOException {
    Shell.may("ip", "link", "delete", link);
    Shell.must("ip", "link", "add", link, "type", "veth", "peer", "core", "netns", name);
    Shell.must("ip", "link", "set", link, "master", Net.BRIDGE, "up");
    ip("link", "set", "core", "up");
    ip("-6", "address", "add", address + "/64", "dev", "core", "nodad");
    ip("-6", "route", "add", "default", "via", Net.API);
  }

  /** Runs {@code ip} inside; it must succeed. */
  void ip(String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of("ip", "-n", name));
    command.addAll(List.of(words));
    Shell.must(command.toArray(String[]::new));
  }

  /** Runs a command inside; it must succeed. */
  String inside(String... command) throws IOException {
    return Shell.must(entering(command).toArray(String[]::new));
  }

  /** The words that run a command inside. */
  List<String> entering(String... command) {
    List<String> words =
        new ArrayList<>(List.of("nsenter", "--net=" + Path.of("/var/run/netns", name)));
    words.addAll(List.of(command));
    return words;
  }

  private void set(String sysctl, String value) throws IOException {
    inside("sh", "-c", "echo \"$1\" >\"/proc/sys/net/$0\"", sysctl, value);
  }

  /** Its links go with it. */
  @Override
  public void close() throws IOException {
    Shell.may("ip", "netns", "delete", name);
  }
}
