// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fetches for others ask no host of this machine or of its links. */
class ReachTest {
  private static final Limits OUTSIDE =
      new Limits(1 << 20, 1 << 20, 1 << 20, 10, 9, Duration.ofSeconds(20), Reach.OUTSIDE);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.8.8.8",
        "::1",
        "0.0.0.0",
        "0.1.2.3",
        "::",
        "169.254.169.254",
        "fe80::1",
        "224.0.0.1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::127.0.0.1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b::7f00:1"
      })
  void addressesOfTheMachineAndItsLinksAreInside(String address) throws Exception {
    assertThat(Reach.isInside(InetAddress.getByName(address))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.1",
        "192.168.1.1",
        "140.82.121.33",
        "fd00::1",
        "2001:db8::1",
        "64:ff9b::a00:1"
      })
  void othersAreOutside(String address) throws Exception {
    assertThat(Reach.isInside(InetAddress.getByName(address))).isFalse();
  }

  @Test
  void noRequestReachesARegistryOfThisMachine() throws Exception {
    try (TestRegistry registry = new TestRegistry()) {
      for (boolean plain : new boolean[] {false, true}) {
        OciSpec spec =
            new OciSpec(registry.host() + "/shop:v1", "", Login.NONE, "", "", plain, OUTSIDE);
        SourceProblem problem = (SourceProblem) OciSource.of(spec).fetch("");
        assertThat(problem.message()).contains("oci: '127.0.0.1'", plain ? "TLS" : "this machine");
        assertThat(problem.passing()).isFalse();
      }
      assertThat(registry.take()).isEmpty();
    }
  }

  @Test
  void noRequestReachesAGitServerOfThisMachine() throws Exception {
    for (String url : new String[] {"https://[::1]:9/shop.git", "https://localhost:9/shop.git"}) {
      Fetch fetch = GitSource.of(new GitSpec(url, "main", "", Login.NONE, "", OUTSIDE)).fetch("");
      assertThat(((SourceProblem) fetch).message()).contains("url:", "this machine");
    }
    Fetch plain =
        GitSource.of(new GitSpec("http://git.example.com/x", "", "", Login.NONE, "", OUTSIDE))
            .fetch("");
    assertThat(((SourceProblem) plain).message()).contains("git.example.com", "without TLS");
  }
}
