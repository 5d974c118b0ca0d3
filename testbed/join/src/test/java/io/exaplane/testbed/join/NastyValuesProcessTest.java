// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.operator.nodepool.join.JoinInput;
import io.exaplane.operator.nodepool.join.JoinScript;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a value holds, a real shell takes it as that value, and carries nothing of it out. */
class NastyValuesProcessTest {
  private static final int ROUNDS = 40;
  private static final List<String> SHELLS = List.of("dash", "bash --posix", "busybox sh");
  private static final List<String> PIECES =
      List.of(
          "'",
          "\"",
          "\\",
          "\n",
          "\r",
          "\t",
          "$(touch broken)",
          "`touch broken`",
          "${HOME}",
          "$$",
          "';touch broken;'",
          "'\\''",
          "%s%n",
          "\\n",
          "\\0",
          "&&touch broken",
          "|",
          ">broken",
          "#",
          "*",
          "~",
          "!",
          "-e",
          " ",
          "EOF\n",
          "\u00e9\u4e16",
          "a",
          "=",
          ",",
          "{",
          "}",
          "\u001b[2J");
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;

  private static String nasty(Random random) {
    StringBuilder text = new StringBuilder();
    for (int left = random.nextInt(12); left >= 0; left--) {
      text.append(PIECES.get(random.nextInt(PIECES.size())));
    }
    return text.toString();
  }

  private static JoinInput input(String ca, String config, String domain, String label) {
    return new JoinInput(
        "https://[fd00::1]:6443",
        ca,
        "abcdef.0123456789abcdef",
        Instant.EPOCH,
        "edge",
        "1.37.2",
        config,
        Map.of("example.org/site", label),
        List.of(new JoinInput.Taint("example.org/t", label, "NoSchedule")),
        "fd00::a",
        domain,
        OptionalInt.empty(),
        List.of());
  }

  /** The script up to its first function, and then a line that shows a variable. */
  private String shown(String script, String variable, String shell) throws Exception {
    String values = script.substring(0, script.indexOf("\n# --- "));
    Path file =
        Files.writeString(
            folder.resolve("values.sh"), values + "\nprintf '%s.' \"$" + variable + "\"\n");
    List<String> words = new ArrayList<>(List.of(shell.split(" ")));
    words.add(file.toString());
    Process process =
        new ProcessBuilder(words).directory(folder.toFile()).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), "UTF-8");
    assertThat(process.waitFor()).as(text).isZero();
    return text.substring(0, text.length() - 1);
  }

  @Test
  void everyShellTakesValuesAsTheyAre() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(round);
      String ca = nasty(random);
      String domain = nasty(random);
      ObjectNode own = JSON.createObjectNode().put("providerID", nasty(random));
      String script = JoinScript.render(input(ca, own.toString(), domain, "plain"));
      String shell = SHELLS.get(round % SHELLS.size());
      assertThat(shown(script, "CA_PEM", shell)).as("round " + round).isEqualTo(ca.strip() + "\n");
      var config = JSON.readTree(shown(script, "KUBELET_CONFIG", shell));
      assertThat(config.path("providerID")).isEqualTo(own.path("providerID"));
      assertThat(config.path("clusterDomain").asText()).isEqualTo(domain);
      assertThat(folder.resolve("broken")).doesNotExist();
    }
  }

  /** What is no label is refused; what is one reaches the kubelet as it is. */
  @Test
  void labelsAndTaintsAreLabelsOrAreRefused() throws Exception {
    int refused = 0;
    for (int round = 0; round < ROUNDS; round++) {
      String label = nasty(new Random(round));
      try {
        String script = JoinScript.render(input("ca", "{}", "cluster.local", label));
        assertThat(shown(script, "NODE_LABELS", "dash")).endsWith(",example.org/site=" + label);
      } catch (IllegalArgumentException e) {
        refused++;
        assertThat(e).hasMessageContaining("must").hasMessageContaining("change the value");
      }
    }
    assertThat(refused).isGreaterThan(ROUNDS / 2);
  }

  /** shellcheck is asked where it is installed. */
  @Test
  void theScriptIsPlainPosix() throws Exception {
    Path script =
        Files.writeString(
            folder.resolve("join.sh"),
            JoinScript.render(input("ca", "{}", "cluster.local", "plain")));
    Path packed =
        Files.writeString(
            folder.resolve("packed.sh"),
            Inputs.userData(input("ca", "{}", "cluster.local", "plain")));
    for (String shell : SHELLS) {
      for (Path file : List.of(script, packed)) {
        List<String> words = new ArrayList<>(List.of(shell.split(" ")));
        words.addAll(List.of("-n", file.toString()));
        Shell.must(words.toArray(String[]::new));
      }
    }
    if (Shell.run(List.of("sh", "-c", "command -v shellcheck"), Map.of()).exit() == 0) {
      Shell.must("shellcheck", "--shell=sh", script.toString());
    }
    assertThat(Files.readString(script)).doesNotContain("eval ").doesNotContain("--insecure");
  }

  /** Each code of the script is in its help, and each of the help in the script. */
  @Test
  void theHelpListsEveryExitCode() throws Exception {
    Path script =
        Files.writeString(
            folder.resolve("join.sh"),
            JoinScript.render(input("ca", "{}", "cluster.local", "plain")));
    Shell.Result help = Shell.run(List.of("sh", script.toString(), "--help"), Map.of());
    assertThat(help.exit()).as(help.text()).isZero();
    List<String> listed =
        help.text().lines().filter(line -> line.matches(" *\\d+  .*")).map(Inputs::code).toList();
    List<String> used =
        Files.readString(script)
            .lines()
            .flatMap(line -> Inputs.CODES.matcher(line).results())
            .map(match -> match.group(2))
            .distinct()
            .toList();
    assertThat(listed).contains("0", "2", "3").containsAll(used);
    assertThat(used).containsAll(listed.stream().filter(code -> code.length() == 2).toList());
  }
}
