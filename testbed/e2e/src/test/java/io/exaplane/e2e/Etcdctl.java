// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.StoreShard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** etcdctl, as kube-apiserver is known to the default store of a control plane. */
final class Etcdctl {
  private final String controlPlane;
  private final String namespace;
  private final Path folder;

  /**
   * @param folder for the files of the credentials
   */
  Etcdctl(String controlPlane, String namespace, Path folder) {
    this.controlPlane = controlPlane;
    this.namespace = namespace;
    this.folder = folder;
  }

  /** Runs a command with the credentials of now, and returns its output; fails when it does. */
  String run(String... arguments) {
    Map<String, String> secret =
        Bed.CLIENT
            .secrets()
            .inNamespace(namespace)
            .withName(controlPlane + "-apiserver-pki")
            .get()
            .getData();
    List<String> command =
        new ArrayList<>(
            List.of(
                program(),
                "--endpoints=" + endpoint(),
                "--cacert=" + file(secret, "store-ca.crt"),
                "--cert=" + file(secret, "store-client.crt"),
                "--key=" + file(secret, "store-client.key")));
    command.addAll(List.of(arguments));
    Bed.Run run = Bed.run(command);
    assertThat(run.exit()).as(run.output()).isZero();
    return run.output();
  }

  private String endpoint() {
    return Bed.CLIENT
        .resources(StoreShard.class)
        .inNamespace(namespace)
        .withName(controlPlane + "-default")
        .get()
        .getStatus()
        .endpoint();
  }

  private Path file(Map<String, String> secret, String part) {
    try {
      return Files.write(folder.resolve(part), Base64.getDecoder().decode(secret.get(part)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** That of any version: each of them speaks to our store. */
  private static String program() {
    try (Stream<Path> cached = Files.list(Bed.CACHE)) {
      return cached
          .map(folder -> folder.resolve("etcdctl"))
          .filter(Files::isExecutable)
          .findFirst()
          .orElseThrow()
          .toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
