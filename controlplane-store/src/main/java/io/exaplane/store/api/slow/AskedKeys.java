// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.slow;

import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.codec.RequestCodec;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.request.DeleteRangeRequest;
import io.exaplane.store.core.request.Operation;
import io.exaplane.store.core.request.PutRequest;
import io.exaplane.store.core.request.RangeRequest;
import io.exaplane.store.core.request.Reusable;
import io.exaplane.store.core.request.Slice;
import io.exaplane.store.core.request.TxnRequest;
import java.nio.charset.StandardCharsets;

/**
 * Which keys a request was about, without names of objects: names may tell what nobody should read
 * in a log. Made only for requests that were slow or large.
 *
 * @param kind as in {@code pods}; {@code other} for keys that are not kube-apiserver's, {@code
 *     none} without a key
 * @param prefix the part of the first key that names the Kind, or {@code -}
 * @param count operations of a Txn, else 1
 */
public record AskedKeys(String kind, String prefix, long count) {
  /** Of a request without keys, or one that cannot be read. */
  public static final AskedKeys NONE = new AskedKeys("none", "-", 0);

  /** Characters of a prefix that the log shows: a client chooses them. */
  private static final int MOST_CHARACTERS = 128;

  /** The keys of a range. */
  public static AskedKeys of(RangeRequest request) {
    return of(request.key, 1);
  }

  /**
   * The keys of a message.
   *
   * @param method as {@code KV/Put}
   */
  public static AskedKeys of(String method, byte[] message, int length) {
    ProtoReader in = new ProtoReader().open(message, 0, length);
    try {
      return switch (method) {
        case "KV/Put" -> {
          PutRequest put = new PutRequest();
          RequestCodec.put(in, put);
          yield of(put.key, 1);
        }
        case "KV/DeleteRange" -> {
          DeleteRangeRequest delete = new DeleteRangeRequest();
          RequestCodec.deleteRange(in, delete);
          yield of(delete.key, 1);
        }
        case "KV/Txn" -> {
          TxnRequest txn = new TxnRequest();
          RequestCodec.txn(in, txn);
          yield of(txn);
        }
        default -> NONE;
      };
    } catch (StoreException e) {
      return NONE; // the client was told
    }
  }

  private static AskedKeys of(TxnRequest txn) {
    long count = Math.max(txn.success.size(), txn.failure.size());
    if (txn.compares.size() > 0) {
      return of(txn.compares.get(0).key, count);
    }
    Reusable<Operation> operations = txn.success.size() > 0 ? txn.success : txn.failure;
    return operations.size() > 0 ? of(operations.get(0), count) : NONE;
  }

  private static AskedKeys of(Operation operation, long count) {
    return switch (operation.kind) {
      case PUT -> of(operation.put.key, count);
      case RANGE -> of(operation.range.key, count);
      case DELETE_RANGE -> of(operation.deleteRange.key, count);
      case NONE, TXN -> new AskedKeys(NONE.kind, NONE.prefix, count);
    };
  }

  private static AskedKeys of(Slice key, long count) {
    String kind = KeyClasses.kind(key.array(), key.offset(), key.length());
    String prefix = text(key, KeyClasses.prefixEnd(key.array(), key.offset(), key.length()));
    return new AskedKeys(printable(kind), prefix.isEmpty() ? NONE.prefix : prefix, count);
  }

  private static String text(Slice key, int end) {
    int length = Math.min(end - key.offset(), MOST_CHARACTERS);
    return printable(new String(key.array(), key.offset(), length, StandardCharsets.UTF_8));
  }

  /** A line of the log stays one line. */
  private static String printable(String text) {
    StringBuilder out = new StringBuilder(text.length());
    text.chars().forEach(c -> out.append(c > ' ' && c <= '~' ? (char) c : '?'));
    return out.toString();
  }
}
