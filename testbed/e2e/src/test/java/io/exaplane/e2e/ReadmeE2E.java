// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of the README and of the pages that begin where the README ends, in their order, as
 * a reader types them. The folder has what the commands expect. Those of exactl are run by
 * ReadmeCommandsTest. Commands that would take away what other tests share are left to these tests;
 * testbed/words holds that each of them is run.
 */
@Order(33)
@Tag("api")
class ReadmeE2E {
  /** With the chapters that count, or none if all do: InstallLiveE2E runs the others. */
  private static final Map<String, Set<String>> PAGES =
      new TreeMap<>(
          Map.of(
              "README.md",
              Set.of(),
              "docs/try.md",
              Set.of(),
              "docs/tools.md",
              Set.of(),
              "docs/install.md",
              Set.of("## Build the images", "## Create a control plane")));

  /** Without comments. */
  private static final Set<String> OF_OTHER_TESTS =
      Set.of(
          "./exa up",
          "./exa test",
          "./exa down",
          "./exa host add w1",
          "./exa kubectl delete pod demo-events-0",
          "./exa kubectl scale cpl demo --replicas=3",
          "./exa kubernetes 1.36.3",
          "./exa kubectl annotate cpl demo exaplane.io/allow-deletion=demo",
          "./exa kubectl delete cpl demo",
          "./exa image $registry/operator:0.1.0 $registry/store:0.1.0 $registry/scheduler:0.1.0",
          "./exa tune --kubernetes-version 1.37 --nodes 60000",
          "./exa plan --from 1000 --to 1000000 -o svg > plan.svg",
          "./exa addr plan --provider aws --nodes 30000",
          "./exa lists --metrics METRICS --audit-log audit.log*.gz",
          "./exa simulate -f cluster.json -o table",
          "./exa bench nodes --context lab --count 1000",
          "./exa bench fleet --count 50",
          "./exa scheduler --kubeconfig FILE",
          "./exa store --data-dir=DIR");

  private static final int LEAST = 10;

  @TempDir private static Path folder;

  @BeforeAll
  static void whatTheCommandsExpect() throws IOException {
    Demo.up();
    Demo.host();
    Demo.hosted("delete", "deployment", "hello", "--ignore-not-found", "--cascade=foreground");
    for (String name : List.of("exa", "config")) {
      Files.createSymbolicLink(folder.resolve(name), Bed.HOME.resolve(name));
    }
  }

  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void everyCommandPasses() throws IOException {
    List<String> commands = new ArrayList<>();
    for (Map.Entry<String, Set<String>> page : PAGES.entrySet()) {
      List<String> found =
          commands(Files.readAllLines(Bed.HOME.resolve(page.getKey())), page.getValue());
      assertThat(found).as(page.getKey()).isNotEmpty();
      commands.addAll(found);
    }
    assertThat(commands).containsAll(OF_OTHER_TESTS);
    List<String> own =
        commands.stream().filter(each -> !OF_OTHER_TESTS.contains(each)).distinct().toList();
    assertThat(own).hasSizeGreaterThanOrEqualTo(LEAST);
    String kubectl = Bed.CACHE.resolve("kube-" + Bed.VERSION).toString();
    for (String command : own) {
      long begin = System.nanoTime();
      Bed.Run run =
          Bed.run(
              List.of(
                  "bash",
                  "-c",
                  "export PATH='%s':$PATH KUBECONFIG='%s'; cd '%s' && %s"
                      .formatted(kubectl, Bed.KUBECONFIG, folder, command)));
      System.out.printf("readme: %d ms: %s%n", (System.nanoTime() - begin) / 1_000_000, command);
      assertThat(run.exit()).as("%s%n%s", command, run.output()).isZero();
    }
    assertThat(folder.resolve("demo.kubeconfig")).content().contains("clusters:");
  }

  /**
   * Lines of the blocks of commands in these chapters, or in all if none, without comments. Pure.
   */
  private static List<String> commands(List<String> page, Set<String> chapters) {
    List<String> commands = new ArrayList<>();
    boolean inside = false;
    boolean counts = chapters.isEmpty();
    for (String line : page) {
      if (line.startsWith("```")) {
        inside = !inside;
      } else if (line.startsWith("## ") && !chapters.isEmpty()) {
        counts = chapters.contains(line);
      } else if (counts && inside && line.matches("(\\./exa|kubectl) .*")) {
        commands.add(line.replaceFirst("\\s+#.*", "").strip());
      }
    }
    return commands;
  }
}
