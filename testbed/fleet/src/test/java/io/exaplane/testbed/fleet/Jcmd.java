// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a Java process says of its heap, by the JDK's tool. Stateless. */
final class Jcmd {
  /**
   * Of the old generation of the serial collector, which has all that a whole collection leaves.
   * The young one has what was made since then, tens of megabytes on a busy machine.
   */
  private static final Pattern KEPT = Pattern.compile("Tenured +total \\d+K, used (\\d+)K");

  private static final Pattern MOST = Pattern.compile("-XX:MaxHeapSize=(\\d+)");

  private Jcmd() {}

  /** What a collection leaves of its heap, MiB. */
  static double heapMib(long pid) throws IOException, InterruptedException {
    ask(pid, "GC.run");
    Matcher kept = KEPT.matcher(ask(pid, "GC.heap_info"));
    assertThat(kept.find()).as("an old generation of the serial collector").isTrue();
    return Long.parseLong(kept.group(1)) / 1024.0;
  }

  /** The largest heap that it may have, MiB. */
  static long mostHeapMib(long pid) throws IOException, InterruptedException {
    Matcher most = MOST.matcher(ask(pid, "VM.flags"));
    assertThat(most.find()).as("a largest heap").isTrue();
    return Long.parseLong(most.group(1)) >> 20;
  }

  private static String ask(long pid, String... words) throws IOException, InterruptedException {
    Stream<String> tool =
        Stream.of(
            Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), Long.toString(pid));
    Process process =
        new ProcessBuilder(Stream.concat(tool, Arrays.stream(words)).toList())
            .redirectErrorStream(true)
            .start();
    String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("jcmd %s: %s", String.join(" ", words), answer).isZero();
    return answer;
  }
}
