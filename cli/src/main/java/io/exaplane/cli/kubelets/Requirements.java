// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.kubelets;

import io.exaplane.tuning.model.InvalidInputException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What hosts need of the machine. Each failure names one thing and the next action. */
final class Requirements {
  private static final List<String> COMMANDS =
      List.of("ip", "sh", "unshare", "setpriv", "hostname", "mount", "containerd", "ctr", "runc");

  /** A host covers these. */
  private static final List<String> COVERED =
      List.of("/run", "/var/run", "/var/log", "/var/lib/cni", "/var/lib/kubelet");

  /** Sockets have short names. */
  private static final int LONGEST = 80;

  private Requirements() {}

  /** Looks at all of it, and changes nothing. */
  static void check(KubeletSettings settings) {
    String system = System.getProperty("os.name");
    if (!system.equals("Linux")) {
      throw refused("machine", system, "must run Linux", "run the command on a Linux machine");
    }
    if (!System.getProperty("user.name").equals("root")) {
      throw refused(
          "user",
          System.getProperty("user.name"),
          "must be root: namespaces and bridges need it",
          "run the command as root");
    }
    for (String each : COMMANDS) {
      require("machine", each, "install " + each);
    }
    require("kubelet", settings.kubelet(), "set --kubelet to the program");
    settings
        .proxy()
        .ifPresent(each -> require("kube-proxy", each, "set --kube-proxy to the program"));
    settings.proxy().ifPresent(each -> require("machine", "nft", "install nftables"));
    if (HostFiles.plugins().isEmpty()) {
      throw refused(
          "machine",
          "/opt/cni/bin/bridge",
          "must exist: hosts connect pods by this plugin of CNI",
          "install the plugins of CNI, in Debian by 'apt-get install containernetworking-plugins'");
    }
    requireFiles(settings);
    if (!settings.onNode()) {
      requireNoNode(Path.of("/etc/cni/net.d"));
    }
  }

  /**
   * Who configures networks for pods of this machine runs pods here.
   *
   * @param networks folder of the configurations
   */
  static void requireNoNode(Path networks) {
    try (Stream<Path> files =
        Files.isDirectory(networks) ? Files.list(networks) : Stream.<Path>empty()) {
      Optional<Path> first = files.filter(Files::isRegularFile).sorted().findFirst();
      if (first.isPresent()) {
        throw refused(
            "machine",
            first.get().toString(),
            "must not exist: the machine seems to be a node, and network plugins of the measured"
                + " cluster can break the network of its pods",
            "use another machine, or set --on-node if its pods may lose their network");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(networks + " cannot be listed; run the command as root", e);
    }
  }

  private static void requireFiles(KubeletSettings settings) {
    String folder = settings.folder().toString();
    boolean isCovered =
        COVERED.stream().anyMatch(each -> settings.folder().startsWith(Path.of(each)));
    if (!settings.folder().isAbsolute()
        || isCovered
        || !folder.matches("[A-Za-z0-9._/-]+")
        || folder.length() > LONGEST) {
      throw refused(
          "folder",
          folder,
          "must be an absolute path of at most 80 letters, digits and ._/- outside of /run,"
              + " /var/log, /var/lib/cni and /var/lib/kubelet",
          "set --folder to such a path");
    }
    for (Path image : settings.images()) {
      readable("image", image);
    }
  }

  private static void readable(String name, Path file) {
    if (!Files.isReadable(file)) {
      throw refused(name, file.toString(), "cannot be read", "name another file");
    }
  }

  /** Nobody may use a part of the prefix. */
  static void requireFree(HostAddresses addresses) {
    String routes = Shell.must("ip", "-6", "route", "show", "root", addresses.prefix());
    if (!routes.isEmpty()) {
      throw refused(
          "prefix",
          addresses.prefix(),
          "overlaps a route of this machine: " + routes.lines().findFirst().orElse(""),
          "set --prefix to a free one");
    }
  }

  private static void require(String field, String program, String next) {
    if (find(program).isEmpty()) {
      throw refused(field, program, "does not exist or cannot be run", next);
    }
  }

  /** Where a program is. */
  private static List<Path> find(String program) {
    if (program.contains("/")) {
      return Files.isExecutable(Path.of(program)) ? List.of(Path.of(program)) : List.of();
    }
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
        .map(each -> Path.of(each, program))
        .filter(Files::isExecutable)
        .toList();
  }

  private static InvalidInputException refused(
      String field, String value, String rule, String next) {
    return new InvalidInputException(field, value, rule, next);
  }
}
