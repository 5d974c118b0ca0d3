// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import io.exaplane.testbed.machine.Machine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.utility.DockerImageName;

/** The same of the image, where a Docker engine runs; else it is skipped. */
@Testcontainers(disabledWithoutDocker = true)
class JetcdImageTest extends JetcdContract {
  private static final Duration START = Duration.ofMinutes(5);

  private static GenericContainer<?> store;
  private static String url;

  /** The launcher made it and says in EXA_STORE_IMAGE and EXA_STORE_IMAGE_TAR what it is. */
  @BeforeAll
  static void start() throws IOException {
    try (InputStream tar =
        Files.newInputStream(Path.of(Machine.environment("EXA_STORE_IMAGE_TAR")))) {
      DockerClientFactory.instance().client().loadImageCmd(tar).exec();
    }
    url = "http://127.0.0.1:" + Machine.freePort();
    store =
        new GenericContainer<>(DockerImageName.parse(Machine.environment("EXA_STORE_IMAGE")))
            .withImagePullPolicy(_ -> false)
            .withNetworkMode("host")
            .withCommand("--durability=memory", "--listen-client-urls=" + url)
            .waitingFor(Wait.forLogMessage(".*ready to serve client requests.*", 1))
            .withStartupTimeout(START);
    store.start();
  }

  @Override
  String endpoint() {
    return url;
  }

  @AfterAll
  static void stop() {
    store.stop();
  }
}
