// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.trace;

import io.exaplane.cli.etcd.KeyGroup;
import io.exaplane.cli.etcd.Wire.Reader;

/**
 * What a request of etcd's asks for, in the words of a kube-apiserver. Pure.
 *
 * @param kind as in {@code pods}; {@code -} where there is no key
 * @param operation as in {@code get}, {@code list} or {@code update}
 */
record Asked(String kind, String operation) {
  private static final String NO_KIND = "-";

  /** etcd's CompareTarget of a key's last change, by which a kube-apiserver says what it knows. */
  private static final int MOD = 2;

  /** As long as a name of Kubernetes can be: other clients may use any keys. */
  private static final int MOST_CHARACTERS = 253;

  /** A request's message by its method, as {@code KV/Range}. Unreadable ones are the method's. */
  static Asked of(String method, byte[] message, String root) {
    try {
      Reader in = new Reader(message);
      return switch (method) {
        case "KV/Range" -> range(in, root, "list");
        case "KV/RangeStream" -> range(in, root, "list stream");
        case "KV/Put" -> key(in, root, "put");
        case "KV/DeleteRange" -> key(in, root, "delete range");
        case "KV/Txn" -> txn(in, root);
        default -> of(method);
      };
    } catch (IllegalArgumentException e) {
      return of(method);
    }
  }

  /** A request without a key. */
  static Asked of(String method) {
    return new Asked(
        NO_KIND,
        switch (method) {
          case "KV/Compact" -> "compact";
          case "Lease/LeaseGrant" -> "lease grant";
          case "Lease/LeaseRevoke" -> "lease revoke";
          case "Lease/LeaseKeepAlive" -> "lease keep-alive";
          default -> method;
        });
  }

  /** A watch of keys that begin with this one. */
  static Asked watch(byte[] key, String root) {
    return new Asked(kind(key, root), "watch");
  }

  private static Asked range(Reader in, String root, String list) {
    byte[] key = {};
    boolean isRange = false;
    boolean isPage = false;
    boolean isCount = false;
    while (in.next()) {
      switch (in.field()) {
        case 1 -> key = in.bytes();
        case 2 -> isRange = in.bytes().length > 0;
        case 3 -> isPage = in.number() > 0;
        case 9 -> isCount = in.number() != 0;
        default -> {}
      }
    }
    String operation = isCount ? "count" : !isRange ? "get" : isPage ? "list page" : list;
    return new Asked(kind(key, root), operation);
  }

  private static Asked key(Reader in, String root, String operation) {
    return new Asked(kind(key(in), root), operation);
  }

  private static byte[] key(Reader in) {
    byte[] key = {};
    while (in.next()) {
      if (in.field() == 1) {
        key = in.bytes();
      }
    }
    return key;
  }

  /**
   * As kube-apiservers write: a comparison of the revision of the last change, 0 for a new object,
   * and one Put or deletion if it holds.
   */
  private static Asked txn(Reader in, String root) {
    byte[] key = {};
    boolean isNew = false;
    String write = "";
    while (in.next()) {
      if (in.field() == 1 && key.length == 0) {
        Reader compare = in.message();
        long target = 0;
        long revision = 0;
        while (compare.next()) {
          switch (compare.field()) {
            case 2 -> target = compare.number();
            case 3 -> key = compare.bytes();
            case 6 -> revision = compare.number();
            default -> {}
          }
        }
        isNew = target == MOD && revision == 0;
      } else if (in.field() == 2 && write.isEmpty()) {
        Reader operation = in.message();
        while (operation.next()) {
          write = operation.field() == 2 ? "put" : operation.field() == 3 ? "delete" : "read";
          key = key.length == 0 ? key(operation.message()) : key;
        }
      }
    }
    String operation =
        switch (write) {
          case "put" -> isNew ? "create" : "update";
          case "delete" -> "delete";
          default -> "txn";
        };
    return new Asked(kind(key, root), operation);
  }

  /** The Kind of a key, or of the keys that begin with it. */
  private static String kind(byte[] key, String root) {
    if (key.length == 0) {
      return NO_KIND;
    }
    String kind = KeyGroup.of(key, root).kind();
    StringBuilder printable = new StringBuilder();
    kind.chars()
        .limit(MOST_CHARACTERS)
        .forEach(c -> printable.append(c > ' ' && c <= '~' ? (char) c : '?'));
    return printable.toString();
  }
}
