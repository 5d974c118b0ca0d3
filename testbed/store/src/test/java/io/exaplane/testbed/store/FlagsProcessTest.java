// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Machine;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The flags that etcd itself has, on a store. */
class FlagsProcessTest {
  /** A flag that the store does not have, with a value that it would be refused for, too. */
  @Test
  void eachFlagOfEtcdIsTakenOrRefusedWithAReason() throws Exception {
    List<String> flags =
        Pattern.compile("(?m)^  (--[a-z0-9-]+)")
            .matcher(ServerProcess.run("etcd", "--help"))
            .results()
            .map(flag -> flag.group(1))
            .distinct()
            .toList();
    assertThat(flags).hasSizeGreaterThan(100);
    List<String> command = Machine.storeCommand();
    for (String flag : flags) {
      command.add(flag + (flag.equals("--auto-compaction-mode") ? "=revision" : "=0"));
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(told).isEqualTo(2);
    List<String> unknown =
        Pattern.compile("'(--[a-z0-9-]+)=0'")
            .matcher(told.substring(told.indexOf("Unknown options: ")))
            .results()
            .map(flag -> flag.group(1))
            .toList();
    String reasons = told.substring(told.lastIndexOf("=0'; ")).replace(":", ",");
    assertThat(unknown)
        .hasSizeBetween(60, flags.size() - 20)
        .allSatisfy(flag -> assertThat(reasons).contains(flag + ","));
    assertThat(told).contains("leave these flags of etcd out (see 'store --help')");
  }
}
