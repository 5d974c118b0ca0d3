// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import io.exaplane.testbed.machine.Kubernetes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** An archive of an image whose program only waits, without a registry. */
final class PauseImage {
  static final String NAME = "registry.k8s.io/pause:3.10";

  private PauseImage() {}

  /** Writes the archive into the folder. */
  static Path write(Path folder) throws Exception {
    Path root = Files.createDirectories(folder.resolve("root"));
    Files.copy(
        Path.of(Kubernetes.binary("kubelet")).getParent().resolveSibling("pause"),
        root.resolve("pause"));
    Path layer = folder.resolve("layer.tar");
    tar("--create", "--file=" + layer, "--directory=" + root, ".");
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(layer));
    Files.writeString(
        folder.resolve("config.json"),
        """
        {"architecture": "amd64", "os": "linux", "config": {"Entrypoint": ["/pause"]},
         "rootfs": {"type": "layers", "diff_ids": ["sha256:%s"]}}
        """
            .formatted(HexFormat.of().formatHex(digest)));
    Files.writeString(
        folder.resolve("manifest.json"),
        """
        [{"Config": "config.json", "RepoTags": ["%s"], "Layers": ["layer.tar"]}]
        """
            .formatted(NAME));
    Path image = folder.resolve("image.tar");
    tar(
        "--create",
        "--file=" + image,
        "--directory=" + folder,
        "manifest.json",
        "config.json",
        "layer.tar");
    return image;
  }

  private static void tar(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("tar"));
    command.addAll(List.of(words));
    int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
    if (exit != 0) {
      throw new IOException("tar ended with " + exit);
    }
  }
}
