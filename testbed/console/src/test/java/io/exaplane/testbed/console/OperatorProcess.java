// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.console;

import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The operator as its image starts it, with its console. */
final class OperatorProcess implements AutoCloseable {
  private final int port = Machine.freePort();
  private final Server process;

  OperatorProcess(Path folder, Path kubeconfig) throws Exception {
    int page = Machine.freePort();
    List<String> words =
        new ArrayList<>(List.of(Machine.environment("EXA_OPERATOR").trim().split(" +")));
    words.add(1, "-Dquarkus.http.port=" + page);
    process =
        Server.start(
            words,
            Map.of(
                "HOSTNAME", "console",
                "KUBECONFIG", kubeconfig.toString(),
                "QUARKUS_HTTP_HOST", "127.0.0.1",
                "EXAPLANE_CONSOLE_ENABLED", "true",
                "EXAPLANE_CONSOLE_PORT", Integer.toString(port)),
            URI.create("http://127.0.0.1:" + page + "/q/health/ready"),
            folder.resolve("operator.log"));
  }

  /** A page of the console. */
  URI page(String path) {
    return URI.create("https://localhost:" + port + path);
  }

  @Override
  public void close() {
    process.close();
  }
}
