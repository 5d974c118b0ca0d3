// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that read a Secret: kubeconfig and join. */
class PlaneSecretsTest {
  private static final String KUBECONFIG = "apiVersion: v1\nkind: Config\n";

  @TempDir private Path folder;
  private PlaneApi api;

  @BeforeEach
  void start() throws IOException {
    api =
        new PlaneApi(folder)
            .with(PlaneFixtures.DOWN)
            .with(
                PlaneFixtures.WELL.replace(
                    "  bundle: b1\n",
                    "  bundle: b1\n  kubeconfigSecretRef: {name: well-admin-kubeconfig}\n"))
            .with(
                "kind: Secret\nmetadata: {name: well-admin-kubeconfig}\ndata: {kubeconfig: %s}\n---\nkind: Secret\nmetadata: {name: workers-node-join}\ndata: {join.sh: %s, ignition.json: %s}\n"
                    .formatted(base64(KUBECONFIG), base64("#!/bin/sh\n"), base64("{}")));
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void theKubeconfigIsPrintedOrWrittenForItsOwner() throws IOException {
    assertThat(api.run("kubeconfig", "well")).as("%s", api.err).isZero();
    assertThat(api.out.toString()).isEqualTo(KUBECONFIG);
    api.run("kubeconfig", "well", "-o=json");
    assertThat(api.document().path("kind").asText()).isEqualTo("Config");
    Path file = folder.resolve("mine");
    assertThat(api.run("kubeconfig", "well", "--file=" + file)).isZero();
    assertThat(file).hasContent(KUBECONFIG);
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(api.run("kubeconfig", "well", "--file=" + file)).isEqualTo(Exactl.BAD_INPUT);
    assertThat(api.err.toString()).contains("must not exist");
    Path nowhere = folder.resolve("none/mine");
    assertThat(api.run("kubeconfig", "well", "--file=" + nowhere)).isEqualTo(Exactl.BAD_INPUT);
    assertThat(api.err.toString())
        .contains("file: '" + nowhere + "' cannot be written: no such file or folder");
  }

  @Test
  void oneThatDoesNotExistYetIsSaid() {
    assertThat(api.run("kubeconfig", "demo")).isEqualTo(Exactl.FAILED);
    assertThat(api.err.toString())
        .contains("ControlPlane demo has no kubeconfig yet", "wait until the condition Kube");
  }

  @Test
  void aHostsScriptAndItsOtherForms() throws IOException {
    assertThat(api.run("join", "workers")).as("%s", api.err).isZero();
    assertThat(api.out.toString()).isEqualTo("#!/bin/sh\n");
    assertThat(api.err.toString()).contains("works until 2026-11-29T07:00:00Z; keep the text pri");
    api.run("join", "workers", "--form=ignition");
    assertThat(api.out.toString()).isEqualTo("{}");
    api.run("join", "workers", "-o=json");
    assertThat(api.document().path("expires").asText()).isEqualTo("2026-11-29T07:00:00Z");
    assertThat(api.run("join", "workers", "--form=cloud-init")).isEqualTo(Exactl.FAILED);
    assertThat(api.err.toString()).contains("Secret workers-node-join has no key cloud-init.yaml");
    assertThat(api.run("join", "workers", "--form=zip")).isEqualTo(Exactl.BAD_INPUT);
    api.forbid("get secrets");
    assertThat(api.run("join", "workers")).isEqualTo(Exactl.FAILED);
    assertThat(api.err.toString()).contains("the right to get secrets in namespace ns");
  }
}
