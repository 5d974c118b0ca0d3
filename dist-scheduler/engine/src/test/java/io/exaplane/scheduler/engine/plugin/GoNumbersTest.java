// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/**
 * Every bit that scores are made of is as in Go on amd64, over the whole range in which it is used.
 * go-numbers.txt is what 'scheduler-oracle -numbers' prints; the tests beside the real scheduler
 * compare it with that again.
 */
class GoNumbersTest {
  private static final class Digest {
    private final MessageDigest sha;
    private final ByteBuffer number = ByteBuffer.allocate(8);

    Digest() {
      try {
        sha = MessageDigest.getInstance("SHA-256");
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e);
      }
    }

    void add(long value) {
      sha.update(number.clear().putLong(value).array());
    }

    @Override
    public String toString() {
      return HexFormat.of().formatHex(sha.digest());
    }
  }

  @Test
  void logarithms() {
    Digest digest = new Digest();
    for (int n = 0; n <= 2_000_000; n++) {
      digest.add(Double.doubleToLongBits(GoMath.log(n + 2)));
    }
    assertThat(goNumbers()).contains("logarithms " + digest);
  }

  @Test
  void rounding() {
    Digest digest = new Digest();
    for (int size = 0; size < 3000; size += 7) {
      double weight = GoMath.log(size + 2);
      for (int count = 0; count < 300; count += 3) {
        for (int skew = 1; skew <= 5; skew++) {
          double score = 0;
          score += count * weight + (skew - 1);
          score += count / 2 * GoMath.log(5) + (skew - 1);
          digest.add(Math.round(score));
        }
      }
    }
    assertThat(goNumbers()).contains("rounding " + digest);
  }

  @Test
  void evenness() {
    Digest digest = new Digest();
    for (long cpu = 1; cpu < 200; cpu += 3) {
      for (long usedCpu = 0; usedCpu <= cpu + 5; usedCpu += 2) {
        for (long memory = 1; memory < 1L << 34; memory = memory * 3 + 7) {
          for (long usedMemory = 0; usedMemory <= memory; usedMemory += memory / 7 + 1) {
            long[] two = {usedCpu, usedMemory};
            long[] three = {usedCpu, usedMemory, usedCpu * 13 % 17};
            digest.add(NodeResourcesBalancedAllocation.evenness(two, new long[] {cpu, memory}));
            digest.add(
                NodeResourcesBalancedAllocation.evenness(three, new long[] {cpu, memory, 17}));
          }
        }
      }
    }
    assertThat(goNumbers()).contains("evenness " + digest);
  }

  private static String goNumbers() {
    try (InputStream in = GoNumbersTest.class.getResourceAsStream("/go-numbers.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
