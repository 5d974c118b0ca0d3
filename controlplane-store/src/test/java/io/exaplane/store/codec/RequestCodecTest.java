// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.request.RangeRequest;
import io.exaplane.store.core.request.RequestChecks;
import io.exaplane.store.core.request.TxnRequest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages as no usual client writes them; all of these were tried with etcd 3.6.8, too. */
class RequestCodecTest {
  /** The key "a". */
  private static final String KEY = "0a0161";

  private static final int MAX_OPERATIONS = 128;

  private final RangeRequest range = new RangeRequest();

  private void read(String hex) {
    byte[] message = HexFormat.of().parseHex(hex);
    RequestCodec.range(new ProtoReader().open(message, 0, message.length), range);
  }

  /** A number, bytes, of fixed size, groups, groups in groups, another field 0 in a group. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "f80701",
        "fa0703010203",
        "fd0703010203",
        "f9070301020304050607",
        "fb070801fc07",
        "fb07fc07",
        "fb07f307f407fc07",
        "fb070a0141f307080112014105010203041901020304050607080cfc07",
        "fb070c",
        "fb0704"
      })
  void whatIsNotKnownIsSkipped(String unknown) {
    read(KEY + unknown + "1807");
    assertThat(range.key.copy()).containsExactly('a');
    assertThat(range.limit).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fb07",
        "fb070801",
        "fb07f307f407",
        "fc07",
        "fe07",
        "ff07",
        "fb070a05",
        "fb07fe07",
        "0001",
        "fd07030102",
        "f907030102030405",
        "1881",
        "98",
        "0a0561"
      })
  void whatIsNoMessageIsRefused(String bad) {
    assertThatThrownBy(() -> read(KEY + bad))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("grpc: error unmarshalling request: ");
  }

  /** Each level takes an operation of those that there may be, but for an empty last one. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 64, 65, 127, 128, 129, 130, 5000})
  void aTxnIsNestedAsDeepAsItMayHaveOperations(int depth) {
    byte[] message = nested(depth);
    TxnRequest request = new TxnRequest();
    ProtoReader in = new ProtoReader().open(message, 0, message.length);
    if (depth <= MAX_OPERATIONS) {
      RequestCodec.txn(in, request);
      RequestChecks.check(request, MAX_OPERATIONS);
      if (depth > 0) {
        assertThatThrownBy(() -> RequestChecks.check(request, depth - 1))
            .isSameAs(StoreException.TOO_MANY_OPERATIONS);
      }
    } else {
      assertThatThrownBy(() -> RequestCodec.txn(in, request))
          .isSameAs(StoreException.TOO_MANY_OPERATIONS);
    }
  }

  /** An empty Txn in as many others. */
  private static byte[] nested(int depth) {
    ReverseWriter out = new ReverseWriter();
    int mark = out.length();
    for (int i = 0; i < depth; i++) {
      out.message(4, mark); // request_txn of a RequestOp
      out.message(2, mark); // success of a TxnRequest
    }
    byte[] message = new byte[out.length()];
    System.arraycopy(out.array(), out.start(), message, 0, message.length);
    return message;
  }

  @Test
  void theLastOfAFieldCounts() {
    read("0a027a7a" + KEY + "18011802");
    assertThat(range.key.copy()).containsExactly('a');
    assertThat(range.limit).isEqualTo(2);
  }
}
