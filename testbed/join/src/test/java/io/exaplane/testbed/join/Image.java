// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import io.exaplane.testbed.machine.Kubernetes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;

/** An image of the pause program, without a registry. */
final class Image {
  private Image() {}

  /** Gives the image to the host's containerd under that name. */
  static void load(Host host, String name) throws Exception {
    Path folder = Files.createDirectory(host.folder.resolve("image"));
    Path pause = Path.of(Kubernetes.binary("kubelet")).getParent().resolveSibling("pause");
    Files.copy(pause, folder.resolve("pause"));
    Path layer = folder.resolve("layer.tar");
    Shell.must("tar", "--create", "--file=" + layer, "--directory=" + folder, "pause");
    String digest =
        HexFormat.of()
            .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(layer)));
    Files.writeString(
        folder.resolve("config.json"),
        """
        {"architecture": "amd64", "os": "linux", "config": {"Entrypoint": ["/pause"]},
         "rootfs": {"type": "layers", "diff_ids": ["sha256:%s"]}}
        """
            .formatted(digest));
    Files.writeString(
        folder.resolve("manifest.json"),
        """
        [{"Config": "config.json", "RepoTags": ["%s"], "Layers": ["layer.tar"]}]
        """
            .formatted(name));
    Path image = host.folder.resolve("image.tar");
    Shell.must(
        "tar",
        "--create",
        "--file=" + image,
        "--directory=" + folder,
        "manifest.json",
        "config.json",
        "layer.tar");
    host.inside("ctr", "--namespace", "k8s.io", "images", "import", image.toString());
  }
}
