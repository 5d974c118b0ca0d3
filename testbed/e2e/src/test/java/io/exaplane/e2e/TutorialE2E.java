// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every command of the tutorial, in its order, as a reader types it in the root of a clone. */
@Order(52)
@Tag("own")
class TutorialE2E {
  private static final Path PAGE = Bed.HOME.resolve("docs/tutorial.md");
  private static final String FENCE = "```";

  /** Steps of the run of their own: the cluster of the others begins and ends with these. */
  private static final Set<String> OF_OTHER_STEPS = Set.of("./exa up", "./exa down");

  private static final String IS_REFUSED = " || echo refused";
  private static final int LEAST = 25;

  @AfterAll
  static void remove() {
    // Both are gone, unless a command failed.
    Bed.run(List.of(Bed.HOME.resolve("exa").toString(), "host", "remove", "shop1"));
    Bed.delete("shop", List.of("shop"), "--wait=false");
    Bed.kubectl("delete", "namespace", "shop", "--ignore-not-found", "--wait=false");
  }

  @Test
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void everyCommandDoesWhatThePageSays() throws IOException {
    List<String> commands = commands(Files.readAllLines(PAGE));
    assertThat(commands).hasSizeGreaterThan(LEAST).containsAll(OF_OTHER_STEPS);
    for (String command : commands) {
      if (!OF_OTHER_STEPS.contains(command)) {
        long begin = System.nanoTime();
        Bed.Run run = Bed.run(List.of("bash", "-c", "cd '%s' && %s".formatted(Bed.HOME, command)));
        System.out.printf(
            "tutorial: %d ms: %s%n", (System.nanoTime() - begin) / 1_000_000, command);
        assertThat(run.exit()).as("%s%n%s", command, run.output()).isZero();
        assertThat(run.output().strip().endsWith("refused"))
            .as("%s%n%s", command, run.output())
            .isEqualTo(command.endsWith(IS_REFUSED));
      }
    }
  }

  /** Lines of the blocks between fences, but comments. Pure. */
  private static List<String> commands(List<String> page) {
    List<String> commands = new ArrayList<>();
    boolean inside = false;
    for (String line : page) {
      if (line.startsWith(FENCE)) {
        inside = !inside;
      } else if (inside && !line.isBlank() && !line.startsWith("#")) {
        commands.add(line);
      }
    }
    return commands;
  }
}
