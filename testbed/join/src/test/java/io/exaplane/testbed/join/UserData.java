// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Does on a host what cloud-init does with user data: {@code write_files}, then {@code runcmd}, at
 * the first boot. It knows no other module, and refuses what it does not know. One thread.
 */
final class UserData {
  private static final String HEADER = "#cloud-config\n";
  private static final Set<String> OF_FILE =
      Set.of("path", "owner", "permissions", "encoding", "content");

  private UserData() {}

  /**
   * Carries out user data.
   *
   * @param text as a provider's API takes it
   * @return how the commands ended; cloud-init logs that, and goes on
   */
  static Shell.Result run(Host host, String text) throws IOException {
    assertThat(text).as("else cloud-init takes the text for a script").startsWith(HEADER);
    JsonNode data = new ObjectMapper().valueToTree(Serialization.unmarshal(text, Map.class));
    assertThat(names(data)).containsExactlyInAnyOrder("write_files", "runcmd");
    for (JsonNode file : data.path("write_files")) {
      assertThat(OF_FILE).containsAll(names(file));
      assertThat(file.path("encoding").asText()).isEqualTo("gz+b64");
      write(host, file);
    }
    StringBuilder commands = new StringBuilder("#!/bin/sh\n");
    for (JsonNode command : data.path("runcmd")) {
      assertThat(command.isTextual())
          .as("a list is quoted, a text is a line of the shell")
          .isTrue();
      commands.append(command.asText()).append('\n');
    }
    Path script = Files.createTempFile(host.folder, "runcmd", ".sh");
    Files.writeString(script, commands);
    return host.script(script);
  }

  private static Set<String> names(JsonNode object) {
    Set<String> names = new TreeSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  /**
   * Owner and mode come with the file, so that nobody else reads it in between; cloud-init has
   * defaults for both.
   */
  private static void write(Host host, JsonNode file) throws IOException {
    host.inside(
        "sh",
        "-euc",
        """
        umask 077
        mkdir -p "$(dirname "$1")"
        printf %s "$4" | base64 -d | gunzip >"$1"
        chown "$2" "$1"
        chmod "$3" "$1"
        """,
        "sh",
        file.path("path").asText(),
        file.path("owner").asText("root:root"),
        file.path("permissions").asText("0644"),
        file.path("content").asText());
  }
}
