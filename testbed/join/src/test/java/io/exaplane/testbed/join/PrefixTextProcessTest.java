// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script's arithmetic of prefixes, by real shells and awk, against whole numbers of 128 bits.
 */
class PrefixTextProcessTest {
  private static final int ROUNDS = 60;
  private static final List<String> SHELLS = List.of("dash", "bash --posix", "busybox sh");

  @TempDir Path folder;

  /** All lines in one shell, which sources the functions. */
  private List<String> answers(String shell, List<String> commands) throws IOException {
    Path functions = Files.createTempFile(folder, "address", ".sh");
    try (InputStream part = getClass().getResourceAsStream("/nodepool/join/address.sh")) {
      Files.write(functions, part.readAllBytes());
    }
    Path lines = Files.createTempFile(folder, "lines", ".sh");
    Files.writeString(
        lines,
        ". " + functions + "\n" + String.join("\n", commands) + "\n",
        StandardCharsets.UTF_8);
    List<String> words = new ArrayList<>(List.of(shell.split(" ")));
    words.add(lines.toString());
    Shell.Result run = Shell.run(words, Map.of("LC_ALL", "C"));
    assertThat(run.exit()).as(run.text()).isZero();
    return run.text().lines().toList();
  }

  private static BigInteger number(String address) throws UnknownHostException {
    return new BigInteger(1, InetAddress.getByName(address).getAddress());
  }

  private static BigInteger number(byte[] bytes) {
    return new BigInteger(1, bytes);
  }

  private static String text(BigInteger number) throws UnknownHostException {
    byte[] sixteen = new byte[16];
    byte[] bytes = number.toByteArray();
    for (int i = 1; i <= Math.min(16, bytes.length); i++) {
      sixteen[16 - i] = bytes[bytes.length - i];
    }
    // A first byte of 0x20 keeps Java from seeing an IPv4 address in the bytes.
    return InetAddress.getByAddress(sixteen).getHostAddress();
  }

  private static BigInteger random(Random random) {
    byte[] bytes = new byte[16];
    random.nextBytes(bytes);
    bytes[0] = 0x20;
    for (int i = random.nextInt(16); i < 15 && random.nextBoolean(); i++) {
      bytes[i + 1] = 0;
    }
    return number(bytes);
  }

  private static BigInteger masked(BigInteger address, int length) {
    int tail = 128 - length;
    return address.shiftRight(tail).shiftLeft(tail);
  }

  @Test
  void aDerivedPartIsTheEndOfTheAddress() throws Exception {
    for (String shell : SHELLS) {
      Random random = new Random(7);
      List<String> commands = new ArrayList<>();
      List<String> wanted = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round++) {
        int from = 32 + random.nextInt(56);
        int bits = Math.max(64, from + 1 + random.nextInt(120 - from));
        BigInteger address = random(random);
        BigInteger end =
            address.and(BigInteger.ONE.shiftLeft(bits - from).subtract(BigInteger.ONE));
        BigInteger part = masked(address, from).add(end.shiftLeft(128 - bits));
        commands.add(
            "derived_part %s/%d %d %s 0".formatted(text(address), from, bits, text(address)));
        wanted.add(text(part) + "/" + bits);
      }
      assertSame(answers(shell, commands), wanted, shell);
    }
  }

  /** Hosts that were refused go on to different parts, also neighbors. */
  @Test
  void laterAttemptsScatter() throws Exception {
    List<String> commands = new ArrayList<>();
    for (int host = 1; host <= 30; host++) {
      for (int attempt = 0; attempt <= 3; attempt++) {
        commands.add("derived_part fd00:1:2:3::/64 112 fd00:1:2:3::%x %d".formatted(host, attempt));
      }
    }
    Set<String> parts = new HashSet<>(answers("dash", commands));
    assertThat(parts)
        .hasSize(120)
        .allMatch(part -> part.startsWith("fd00:1:2:3:") && part.endsWith("/112"));
  }

  @Test
  void addressesAreCountedFromTheFirst() throws Exception {
    for (String shell : SHELLS) {
      Random random = new Random(8);
      List<String> commands = new ArrayList<>();
      List<String> wanted = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round++) {
        int length = 64 + random.nextInt(57);
        BigInteger network = masked(random(random), length);
        int at = random.nextInt(1 << Math.min(16, 128 - length));
        BigInteger last =
            network.add(BigInteger.ONE.shiftLeft(128 - length)).subtract(BigInteger.ONE);
        commands.add("address_at %s/%d %d".formatted(text(network), length, at));
        wanted.add(text(network.add(BigInteger.valueOf(at))));
        commands.add("last_address %s/%d".formatted(text(network), length));
        wanted.add(text(last));
        commands.add("hexadecimal " + text(last));
        wanted.add("%032x".formatted(last));
      }
      assertSame(answers(shell, commands), wanted, shell);
    }
  }

  @Test
  void theKernelGetsAnEntryForEachAddress() throws Exception {
    List<String> lines = answers("dash", List.of("proxy_entries fd00::1:ff00/120 3 eth0"));
    assertThat(lines)
        .containsExactly(
            "neigh replace proxy fd00::1:ff02 dev eth0",
            "neigh replace proxy fd00::1:ff03 dev eth0",
            "neigh replace proxy fd00::1:ff04 dev eth0");
  }

  private static void assertSame(List<String> answers, List<String> wanted, String shell)
      throws UnknownHostException {
    assertThat(answers).as(shell).hasSameSizeAs(wanted);
    for (int i = 0; i < wanted.size(); i++) {
      String answer = answers.get(i);
      String want = wanted.get(i);
      if (want.contains(":")) {
        assertThat(number(answer.split("/")[0]))
            .as(shell + ": " + answer + " " + want)
            .isEqualTo(number(want.split("/")[0]));
        assertThat(answer.replaceAll("^[^/]*", "")).isEqualTo(want.replaceAll("^[^/]*", ""));
      } else {
        assertThat(answer).as(shell).isEqualTo(want);
      }
    }
  }
}
