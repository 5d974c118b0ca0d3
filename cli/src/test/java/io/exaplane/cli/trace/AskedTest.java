// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.cli.etcd.Wire.Writer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** etcd's requests in the words of a kube-apiserver. */
class AskedTest {
  private static final String ROOT = "/registry/";
  private static final byte[] POD = bytes("/registry/pods/default/web-1");

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Asked range(Writer message) {
    return Asked.of("KV/Range", message.end(), ROOT);
  }

  private static Writer keys() {
    return new Writer().bytes(1, bytes("/registry/pods/")).bytes(2, bytes("/registry/pods0"));
  }

  @Test
  void readsAreGetsListsPagesAndCounts() {
    assertThat(range(new Writer().bytes(1, POD))).isEqualTo(new Asked("pods", "get"));
    assertThat(range(keys())).isEqualTo(new Asked("pods", "list"));
    assertThat(range(keys().number(3, 500))).isEqualTo(new Asked("pods", "list page"));
    assertThat(range(keys().number(9, 1))).isEqualTo(new Asked("pods", "count"));
    assertThat(Asked.of("KV/RangeStream", keys().end(), ROOT))
        .isEqualTo(new Asked("pods", "list stream"));
  }

  static byte[] compare(byte[] key, long modRevision) {
    // EQUAL is 0 and left out.
    return new Writer().number(2, 2).bytes(3, key).number(6, modRevision).end();
  }

  static byte[] put(byte[] key) {
    return new Writer().bytes(2, new Writer().bytes(1, key).bytes(2, bytes("value")).end()).end();
  }

  private static Asked txn(byte[] compare, byte[] success) {
    return Asked.of("KV/Txn", new Writer().bytes(1, compare).bytes(2, success).end(), ROOT);
  }

  @Test
  void writesAreCreationsUpdatesAndDeletions() {
    byte[] deletion = new Writer().bytes(3, new Writer().bytes(1, POD).end()).end();
    assertThat(txn(compare(POD, 0), put(POD))).isEqualTo(new Asked("pods", "create"));
    assertThat(txn(compare(POD, 77), put(POD))).isEqualTo(new Asked("pods", "update"));
    assertThat(txn(compare(POD, 77), deletion)).isEqualTo(new Asked("pods", "delete"));
    assertThat(Asked.of("KV/Txn", new Writer().bytes(2, put(POD)).end(), ROOT))
        .isEqualTo(new Asked("pods", "update"));
    assertThat(Asked.of("KV/Put", new Writer().bytes(1, POD).end(), ROOT))
        .isEqualTo(new Asked("pods", "put"));
  }

  @Test
  void whatHasNoKeyIsItsMethod() {
    assertThat(Asked.of("Lease/LeaseGrant", new byte[] {8, 60}, ROOT))
        .isEqualTo(new Asked("-", "lease grant"));
    assertThat(Asked.of("Maintenance/Status", new byte[0], ROOT))
        .isEqualTo(new Asked("-", "Maintenance/Status"));
    assertThat(Asked.of("KV/Range", new byte[] {10, 100}, ROOT))
        .as("no message")
        .isEqualTo(new Asked("-", "KV/Range"));
  }

  @Test
  void otherKeysShowNothingOfThemselves() {
    assertThat(range(new Writer().bytes(1, bytes("password/hunter2"))))
        .isEqualTo(new Asked("other", "get"));
    assertThat(range(new Writer().bytes(1, bytes("/registry/po\nds/a/b"))).kind())
        .isEqualTo("po?ds");
  }
}
