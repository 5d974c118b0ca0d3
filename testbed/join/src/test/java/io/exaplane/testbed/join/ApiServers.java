// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One kube-apiserver, or two behind a relay that can be restarted in turn. One thread. */
final class ApiServers implements AutoCloseable {
  private static final String PORT = "--secure-port=";

  private final List<String> command;
  private final Path folder;
  private final Map<Integer, Server> servers = new LinkedHashMap<>();
  private Relay relay;

  private ApiServers(List<String> command, Path folder) {
    this.command = List.copyOf(command);
    this.folder = folder;
  }

  /** Starts one at that port. */
  static ApiServers one(List<String> command, int port, Path folder) throws Exception {
    ApiServers apis = new ApiServers(command, folder);
    apis.start(port);
    return apis;
  }

  /** Starts two, and a relay at that port. */
  static ApiServers two(List<String> command, int port, Path folder) throws Exception {
    ApiServers apis = new ApiServers(command, folder);
    apis.relay = Relay.start(port);
    try {
      apis.start(Machine.freePort());
      apis.start(Machine.freePort());
    } catch (Exception e) {
      apis.close();
      throw e;
    }
    return apis;
  }

  private void start(int port) throws Exception {
    List<String> own = new ArrayList<>(command);
    own.removeIf(word -> word.startsWith(PORT));
    own.add(PORT + port);
    servers.put(
        port,
        Server.start(
            own,
            Map.of(),
            URI.create("https://127.0.0.1:%d/readyz".formatted(port)),
            folder.resolve("kube-apiserver-%d.log".formatted(port))));
    if (relay != null) {
      relay.add(port);
    }
  }

  /** Kills one after the other, and starts it again; the other one serves meanwhile. */
  void restart() throws Exception {
    for (int port : List.copyOf(servers.keySet())) {
      relay.remove(port);
      servers.get(port).close();
      start(port);
    }
  }

  @Override
  public void close() {
    if (relay != null) {
      relay.close();
    }
    servers.values().forEach(Server::close);
  }
}
