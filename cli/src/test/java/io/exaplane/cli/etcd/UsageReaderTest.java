// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.cli.etcd.Usage.Share;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UsageReaderTest {
  private static final String PAGE =
      """
      {"at":"2026-01-01T00:00:00Z","keys":3,"liveBytes":300,
      "kinds":[{"kind":"pods","namespace":"","prefix":"/registry/pods/","keys":2,"bytes":200},
      {"kind":"secrets","namespace":"","prefix":"/registry/secrets/","keys":1,"bytes":100}],
      "namespaces":[{"kind":"pods","namespace":"a","prefix":"/registry/pods/a/","keys":2,"bytes":200}]}
      """;
  private static final String METRICS =
      """
      # TYPE exaplane_store_kind_bytes gauge
      exaplane_store_kind_bytes{kind="pods",prefix="/"} 700.0
      exaplane_store_kind_bytes{kind="pods",prefix="/registry/pods/"} 50.0
      exaplane_store_record_bytes 900.0
      """;

  @Test
  void ourStoreTellsBytesNowAndWithHistory() throws Exception {
    Usage usage = UsageReader.parse(PAGE, METRICS, 1);
    assertThat(usage.historyBytes()).isEqualTo(900);
    assertThat(usage.kinds())
        .containsExactly(new Share("pods", "", "/registry/pods/", 2, 200, 750));
    assertThat(usage.namespaces())
        .containsExactly(new Share("pods", "a", "/registry/pods/a/", 2, 200, Usage.UNKNOWN));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "<html>", "{}", "404 page not found"})
  void anotherPageIsNoUsage(String page) {
    assertThatThrownBy(() -> UsageReader.parse(page, "", 1)).isInstanceOf(IOException.class);
  }

  @Test
  void messagesAreReadFieldByField() {
    byte[] header = new Wire.Writer().number(1, 7).number(3, 4_000_000_000L).end();
    byte[] keyValue = new Wire.Writer().bytes(1, new byte[] {'a'}).number(2, -1).end();
    byte[] answer = new Wire.Writer().bytes(1, header).bytes(2, keyValue).flag(3, true).end();
    EtcdMessages.KeyPage page = EtcdMessages.keyPage(answer);
    assertThat(page.revision()).isEqualTo(4_000_000_000L);
    assertThat(page.more()).isTrue();
    assertThat(page.keys().getFirst()).isEqualTo(new byte[] {'a'});
    byte[] alarm = new Wire.Writer().number(1, -5).number(2, 1).end();
    byte[] corrupt = new Wire.Writer().number(1, 6).number(2, 2).end();
    assertThat(
            EtcdMessages.membersWithoutSpace(
                new Wire.Writer().bytes(2, alarm).bytes(2, corrupt).end()))
        .containsExactly(-5L);
  }

  @Test
  void whatIsNoMessageIsRefused() {
    assertThatThrownBy(() -> EtcdMessages.keyPage(new byte[] {0x12, 0x7f, 1}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> EtcdMessages.keyPage(new byte[] {(byte) 0x80}))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
