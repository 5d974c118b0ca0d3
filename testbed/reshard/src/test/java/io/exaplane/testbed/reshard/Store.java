// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.reshard;

import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A store with TLS and a folder for a volume, as the operator runs it. Any thread, one at a time.
 */
final class Store implements AutoCloseable {
  private final String name;
  private final Path folder;
  private final List<String> command;
  private final int port;
  private final URI readyz;
  private volatile Server server;
  private volatile int starts;

  private Store(String name, Path folder, List<String> command, int port, URI readyz) {
    this.name = name;
    this.folder = folder;
    this.command = command;
    this.port = port;
    this.readyz = readyz;
  }

  /** Makes one that is not started yet. */
  static Store of(String name, Path folder, Certificates certificates) throws IOException {
    int port = Machine.freePort();
    String pages = "http://127.0.0.1:" + Machine.freePort();
    List<String> command = Machine.storeCommand();
    command.add("--name=" + name);
    command.add("--data-dir=" + folder.resolve(name));
    command.add("--listen-client-urls=https://127.0.0.1:" + port);
    command.add("--listen-metrics-urls=" + pages);
    command.add("--client-cert-auth=true");
    command.add("--client-cert-allowed-cn=" + ControlPlaneNames.STORE_CLIENT);
    command.add("--trusted-ca-file=" + certificates.ca());
    command.add("--cert-file=" + certificates.server().certificate());
    command.add("--key-file=" + certificates.server().key());
    command.add("--watch-progress-notify-interval=5s");
    return new Store(name, folder, command, port, URI.create(pages + "/readyz"));
  }

  /** Starts it, also after a kill, with its data; it serves when this returns. */
  void start() throws Exception {
    Path log = folder.resolve("%s-%d.log".formatted(name, ++starts));
    server = Server.start(command, Map.of(), readyz, log);
  }

  /** Ends it as SIGKILL does. */
  void kill() {
    server.close();
  }

  /** On 127.0.0.1, with TLS. */
  int port() {
    return port;
  }

  URI page(String path) {
    return URI.create("https://127.0.0.1:%d%s".formatted(port, path));
  }

  String lastWords() throws IOException {
    return server.lastWords();
  }

  @Override
  public String toString() {
    return name;
  }

  @Override
  public void close() {
    if (server != null) {
      kill();
    }
  }
}
