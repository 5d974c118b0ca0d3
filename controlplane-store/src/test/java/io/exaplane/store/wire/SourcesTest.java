// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SourcesTest {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(Source.PAUSE_MS);

  private long now = Long.MAX_VALUE - 5; // as nanoTime may be
  private final Sources sources = new Sources(() -> now);

  private static SocketAddress address(String host) {
    try {
      return new InetSocketAddress(InetAddress.getByName(host), 1234);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private static void offend(Source source, int times) {
    for (int i = 0; i < times; i++) {
      source.offend(1);
    }
  }

  @Test
  void offencesAreForgivenUntilTheyAreMany() {
    Source source = sources.connect(address("192.0.2.1"));
    offend(source, Source.FORGIVEN);
    assertThat(source.isRestrained()).isFalse();
    source.offend(1);
    assertThat(source.isRestrained()).isTrue();
  }

  @Test
  void whatIsWorseCountsAsMany() {
    Source source = sources.connect(address("192.0.2.1"));
    source.offend(Source.FORGIVEN);
    assertThat(source.isRestrained()).isFalse();
    source.offend(25);
    assertThat(source.isRestrained()).isTrue();
  }

  @Test
  void whoOffendsSeldomIsNeverRestrained() {
    Source source = sources.connect(address("192.0.2.1"));
    for (int i = 0; i < 100; i++) {
      offend(source, Source.FORGIVEN);
      now += Source.WINDOW_NANOS + 1;
      assertThat(source.isRestrained()).isFalse();
    }
  }

  @Test
  void restraintEndsAWindowAfterTheLastOffence() {
    Source source = sources.connect(address("192.0.2.1"));
    offend(source, Source.FORGIVEN + 1);
    now += Source.WINDOW_NANOS / 2;
    source.offend(1);
    now += Source.WINDOW_NANOS - 1;
    assertThat(source.isRestrained()).isTrue();
    now += 1;
    assertThat(source.isRestrained()).isFalse();
  }

  @Test
  void callsTakenBackKeepUpARestraintButNotForEver() {
    Source source = sources.connect(address("192.0.2.1"));
    source.prolong();
    assertThat(source.isRestrained()).as("they are no offence").isFalse();
    offend(source, Source.FORGIVEN + 1);
    for (long waited = 0; waited < Source.PROLONGED_NANOS; waited += Source.WINDOW_NANOS / 2) {
      assertThat(source.isRestrained()).isTrue();
      source.prolong();
      now += Source.WINDOW_NANOS / 2;
    }
    source.prolong();
    now += Source.WINDOW_NANOS / 2;
    assertThat(source.isRestrained()).isFalse();
  }

  @Test
  void aRestrainedSourceHasFewConnections() {
    Source source = sources.connect(address("192.0.2.1"));
    offend(source, Source.FORGIVEN + 1);
    for (int i = 1; i < Source.MOST_CONNECTIONS; i++) {
      now += PAUSE_NANOS;
      assertThat(sources.connect(address("192.0.2.1"))).isSameAs(source);
    }
    now += PAUSE_NANOS;
    assertThat(sources.connect(address("192.0.2.1"))).isNull();
    assertThat(sources.connect(address("192.0.2.2"))).as("another").isNotNull();
    source.disconnect();
    assertThat(sources.connect(address("192.0.2.1"))).as("one has left").isSameAs(source);
  }

  @Test
  void aRestrainedSourceConnectsNowAndThen() {
    Source source = sources.connect(address("192.0.2.1"));
    assertThat(sources.connect(address("192.0.2.1"))).as("not restrained").isSameAs(source);
    offend(source, Source.FORGIVEN + 1);
    now += PAUSE_NANOS - 1;
    assertThat(sources.connect(address("192.0.2.1"))).isNull();
    now += 1;
    assertThat(sources.connect(address("192.0.2.1"))).isSameAs(source);
    assertThat(sources.connect(address("192.0.2.1"))).isNull();
  }

  @Test
  void anIpv6NetworkIsOneSource() {
    Source source = sources.connect(address("2001:db8:0:1::1"));
    assertThat(sources.connect(address("2001:db8:0:1:ffff::2"))).isSameAs(source);
    assertThat(sources.connect(address("2001:db8:0:2::1"))).isNotSameAs(source);
  }

  @Test
  void whatASourceDidIsNotForgottenWhenItHangsUp() {
    Source source = sources.connect(address("192.0.2.1"));
    offend(source, Source.FORGIVEN);
    source.disconnect();
    for (int i = 0; i < 10_000; i++) {
      sources.connect(address("10.0.%d.%d".formatted(i >> 8, i & 0xff))).disconnect();
    }
    assertThat(sources.connect(address("192.0.2.1"))).isSameAs(source);
  }

  @Test
  void sourcesThatAreGoneAreForgotten() {
    for (int i = 0; i < 10_000; i++) {
      sources.connect(address("10.0.%d.%d".formatted(i >> 8, i & 0xff))).disconnect();
    }
    assertThat(sources.size()).isLessThan(5_000);
  }
}
