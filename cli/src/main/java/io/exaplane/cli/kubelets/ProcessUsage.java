// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.kubelets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What processes use, by the name of their program.
 *
 * @param cpuSeconds since their start, with those of their children that have ended
 * @param memoryBytes the proportional set: a page that processes share counts once
 */
public record ProcessUsage(double cpuSeconds, double memoryBytes) {
  private static final double TICKS_PER_SECOND = 100;
  private static final Pattern PSS = Pattern.compile("(?m)^Pss:\\s+(\\d+) kB");
  private static final int KIB = 1024;

  /** Where the fields are that stand behind the name in /proc/PID/stat. */
  private static final int FIRST_TIME = 11;

  private static final int TIMES = 4;

  /** Of processes that are still there, under {@code proc}, which is /proc. */
  static Map<String, ProcessUsage> of(Path proc, Stream<Long> pids) {
    Map<String, ProcessUsage> all = new TreeMap<>();
    pids.forEach(
        pid -> {
          try {
            String stat = Files.readString(proc.resolve(pid + "/stat"));
            String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
            all.merge(
                name,
                new ProcessUsage(cpu(stat), memory(proc.resolve(pid + "/smaps_rollup"))),
                ProcessUsage::plus);
          } catch (IOException e) {
            // The process has ended.
          }
        });
    return all;
  }

  private static double cpu(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    double ticks = 0;
    for (int i = 0; i < TIMES; i++) {
      ticks += Double.parseDouble(fields[FIRST_TIME + i]);
    }
    return ticks / TICKS_PER_SECOND;
  }

  private static double memory(Path file) throws IOException {
    Matcher line = PSS.matcher(Files.readString(file));
    return line.find() ? Double.parseDouble(line.group(1)) * KIB : 0;
  }

  private ProcessUsage plus(ProcessUsage other) {
    return new ProcessUsage(cpuSeconds + other.cpuSeconds, memoryBytes + other.memoryBytes);
  }

  /** Core-seconds since an earlier look; a process that started since then counts whole. */
  public double cpuSince(Optional<ProcessUsage> before) {
    return cpuSeconds - before.map(ProcessUsage::cpuSeconds).orElse(0.0);
  }
}
