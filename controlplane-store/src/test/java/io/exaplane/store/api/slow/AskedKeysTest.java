// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.slow;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.request.RangeRequest;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AskedKeysTest {
  private static void text(ReverseWriter out, int field, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.bytes(field, bytes, 0, bytes.length);
  }

  private static AskedKeys range(String key) {
    RangeRequest request = new RangeRequest();
    request.key.set(key.getBytes(StandardCharsets.UTF_8));
    return AskedKeys.of(request);
  }

  private static AskedKeys of(String method, ReverseWriter message) {
    byte[] bytes = message.copy();
    return AskedKeys.of(method, bytes, bytes.length);
  }

  /** Names of namespaces and objects are left out, as are keys of other programs. */
  @ParameterizedTest
  @CsvSource({
    "/registry/pods/default/web-1, pods, /registry/pods/",
    "/registry/pods/, pods, /registry/pods/",
    "/registry/secrets/bank/vault-token, secrets, /registry/secrets/",
    "/registry/example.com/widgets/bank/w, widgets.example.com, /registry/example.com/widgets/",
    "/registry/services/endpoints/bank/api, endpoints, /registry/services/endpoints/",
    "/registry/, other, /registry/",
    "/registry, other, /",
    "password/hunter2, other, password/",
    "hunter2, other, -"
  })
  void aKeyIsShownUpToItsKind(String key, String kind, String prefix) {
    assertThat(range(key)).isEqualTo(new AskedKeys(kind, prefix, 1));
  }

  @Test
  void aLineOfTheLogStaysOneLine() {
    AskedKeys asked = range("/registry/po\nds\u001b[1m/default/a");
    assertThat(asked.kind()).isEqualTo("po?ds?[1m");
    assertThat(asked.prefix()).isEqualTo("/registry/po?ds?[1m/");
    assertThat(range("/registry/" + "x".repeat(5_000) + "/a").prefix()).hasSize(128);
    assertThat(range("\0").prefix()).isEqualTo("-");
  }

  @Test
  void aPutAndADeletionHaveTheirKey() {
    ReverseWriter put = new ReverseWriter();
    text(put, 2, "the value");
    text(put, 1, "/registry/secrets/bank/vault-token");
    assertThat(of("KV/Put", put)).isEqualTo(new AskedKeys("secrets", "/registry/secrets/", 1));
    ReverseWriter delete = new ReverseWriter();
    text(delete, 1, "/registry/events/bank/e");
    assertThat(of("KV/DeleteRange", delete).kind()).isEqualTo("events");
  }

  /** As kube-apiserver's update: one comparison, a Put, and a Range if it fails. */
  @Test
  void aTxnHasTheKeyOfItsComparisonAndItsOperations() {
    ReverseWriter txn = new ReverseWriter();
    int mark = txn.length();
    text(txn, 1, "/registry/leases/kube-node-lease/n1");
    txn.message(2, mark); // request_put
    txn.message(2, mark); // success
    assertThat(of("KV/Txn", txn)).isEqualTo(new AskedKeys("leases", "/registry/leases/", 1));
    mark = txn.length();
    text(txn, 3, "/registry/pods/default/p");
    txn.message(1, mark); // compare
    assertThat(of("KV/Txn", txn)).isEqualTo(new AskedKeys("pods", "/registry/pods/", 1));
  }

  @Test
  void whatHasNoKeyOrCannotBeReadIsNone() {
    assertThat(of("Lease/LeaseGrant", new ReverseWriter())).isEqualTo(AskedKeys.NONE);
    assertThat(AskedKeys.of("KV/Put", new byte[] {10, 127}, 2)).isEqualTo(AskedKeys.NONE);
    assertThat(of("KV/Txn", new ReverseWriter())).isEqualTo(AskedKeys.NONE);
  }
}
