// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The script's functions, called by real shells on a host whose {@code ip} says what a test wants.
 * One thread.
 */
final class HostFunctions {
  /** Each shell that hosts may have. */
  static final List<String> SHELLS = List.of("dash", "bash --posix", "busybox sh");

  private final Path folder;
  private final Path functions;

  private HostFunctions(Path folder, Path functions) {
    this.folder = folder;
    this.functions = functions;
  }

  /** Those of some parts of the script, in their order. */
  static HostFunctions write(Path folder, List<String> parts) throws IOException {
    StringBuilder text = new StringBuilder("SERVER=https://api:6443\n");
    for (String name : parts) {
      try (InputStream part =
          HostFunctions.class.getResourceAsStream("/nodepool/join/%s.sh".formatted(name))) {
        text.append(new String(part.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    Files.createDirectories(folder.resolve("state"));
    return new HostFunctions(folder, Files.writeString(folder.resolve("functions.sh"), text));
  }

  /**
   * What a shell says that runs lines behind the functions.
   *
   * @param host lines of a {@code case} by the arguments of {@code ip}
   */
  String answer(String shell, String host, String lines) throws IOException {
    String text =
        """
        . %s
        STATE=%s/state WORK=%s POOL=edge POD_LINK=Bridge INTERFACE='' NAT64_PREFIX='' METADATA_URL='' FIREWALL_TCP=22 FIREWALL_UDP=''
        ip() {
          case "$*" in
        %s
          esac
        }
        %s
        """
            .formatted(functions, folder, folder, host, lines);
    Path file = Files.writeString(folder.resolve("lines.sh"), text);
    List<String> words = new ArrayList<>(List.of(shell.split(" ")));
    words.add(file.toString());
    Shell.Result run = Shell.run(words, Map.of("LC_ALL", "C"));
    assertThat(run.exit()).as(run.text()).isZero();
    return run.text();
  }
}
