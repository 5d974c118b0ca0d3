// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.install.olm;

import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A file-based catalog, served by {@code opm} as its image does. Used by one thread. */
final class CatalogServer implements AutoCloseable {
  private final Server server;
  private final String address;

  private CatalogServer(Server server, String address) {
    this.server = server;
    this.address = address;
  }

  /**
   * Begins to serve; OLM connects as soon as it answers.
   *
   * @param catalog a folder with blobs in YAML
   * @param folder takes opm's files and log
   */
  static CatalogServer start(OlmCluster cluster, Path catalog, Path folder) throws Exception {
    int port = Machine.freePort();
    Path own = Files.createDirectory(folder.resolve("opm-" + port));
    Server server =
        Server.start(
            List.of(
                OlmPrograms.binary("opm"),
                "serve",
                catalog.toString(),
                "--port=" + port,
                "--cache-dir=" + own.resolve("cache"),
                "--cache-enforce-integrity=false",
                "--pprof-addr=",
                "--termination-log=" + own.resolve("end")),
            Map.of(),
            cluster.readiness(),
            own.resolve("log"));
    return new CatalogServer(server, "127.0.0.1:" + port);
  }

  /** What a CatalogSource has as its {@code address}. */
  String address() {
    return address;
  }

  @Override
  public void close() {
    server.close();
  }
}
