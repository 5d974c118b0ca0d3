// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import io.exaplane.testbed.machine.Kubernetes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;

/** Images of programs of this machine, without a registry. */
final class Image {
  /** The pause program, under the name that containerd is told. */
  static final String PAUSE = "registry.k8s.io/pause:3.10";

  /** busybox, with a page for its httpd that tells who answers whom. */
  static final String TOOLS = "exj.test/tools:1";

  /** The page's path below the server's address. */
  static final String PAGE = "/cgi-bin/who";

  private static final List<String> APPLETS =
      List.of("sh", "httpd", "nc", "timeout", "tail", "cat");

  private Image() {}

  /** Gives the pause image to the host's containerd. */
  static void pause(Host host) throws Exception {
    Path folder = Files.createDirectory(host.folder.resolve("pause"));
    Path root = Files.createDirectory(folder.resolve("root"));
    Files.copy(
        Path.of(Kubernetes.binary("kubelet")).getParent().resolveSibling("pause"),
        root.resolve("pause"));
    load(host, folder, PAUSE, "/pause");
  }

  /** Gives the image with tools to the host's containerd. */
  static void tools(Host host) throws Exception {
    Path folder = Files.createDirectory(host.folder.resolve("tools"));
    Path bin = Files.createDirectories(folder.resolve("root/bin"));
    Files.copy(Path.of(Shell.must("sh", "-c", "command -v busybox")), bin.resolve("busybox"));
    for (String applet : APPLETS) {
      Files.createSymbolicLink(bin.resolve(applet), Path.of("busybox"));
    }
    page(folder.resolve("root/www"));
    load(host, folder, TOOLS, "/bin/sh");
  }

  /** Writes the page for a server of that folder. */
  static void page(Path folder) throws IOException {
    Path page = folder.resolve(PAGE.substring(1));
    Files.createDirectories(page.getParent());
    Files.writeString(
        page,
        """
        #!/bin/sh
        echo 'Content-Type: text/plain'
        echo
        echo "$HOSTNAME answers $REMOTE_ADDR"
        """);
    Files.setPosixFilePermissions(page, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static void load(Host host, Path folder, String name, String entry) throws Exception {
    Path layer = folder.resolve("layer.tar");
    Shell.must("tar", "--create", "--file=" + layer, "--directory=" + folder.resolve("root"), ".");
    Files.writeString(
        folder.resolve("config.json"),
        """
        {"architecture": "amd64", "os": "linux", "config": {"Entrypoint": ["%s"], "Env": ["PATH=/bin"]},
         "rootfs": {"type": "layers", "diff_ids": ["sha256:%s"]}}
        """
            .formatted(entry, digest(layer)));
    Files.writeString(
        folder.resolve("manifest.json"),
        """
        [{"Config": "config.json", "RepoTags": ["%s"], "Layers": ["layer.tar"]}]
        """
            .formatted(name));
    Path image = folder.resolve("image.tar");
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

  private static String digest(Path file) throws Exception {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
  }
}
