// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.error;

/**
 * A request that cannot be carried out, with the code and text that etcd's clients know it by
 * (etcd's api/v3rpc/rpctypes/error.go). Without a stack trace: it is an answer, not a fault.
 */
public final class StoreException extends RuntimeException {
  /** gRPC's codes that are used. */
  public enum Code {
    UNKNOWN(2),
    INVALID_ARGUMENT(3),
    NOT_FOUND(5),
    RESOURCE_EXHAUSTED(8),
    FAILED_PRECONDITION(9),
    OUT_OF_RANGE(11),
    UNIMPLEMENTED(12),
    INTERNAL(13),
    UNAVAILABLE(14);

    private final int number;

    Code(int number) {
      this.number = number;
    }

    public int number() {
      return number;
    }
  }

  public static final StoreException COMPACTED =
      of(Code.OUT_OF_RANGE, "etcdserver: mvcc: required revision has been compacted");
  public static final StoreException FUTURE_REVISION =
      of(Code.OUT_OF_RANGE, "etcdserver: mvcc: required revision is a future revision");
  public static final StoreException EMPTY_KEY =
      of(Code.INVALID_ARGUMENT, "etcdserver: key is not provided");
  public static final StoreException KEY_NOT_FOUND =
      of(Code.INVALID_ARGUMENT, "etcdserver: key not found");
  public static final StoreException VALUE_PROVIDED =
      of(Code.INVALID_ARGUMENT, "etcdserver: value is provided");
  public static final StoreException LEASE_PROVIDED =
      of(Code.INVALID_ARGUMENT, "etcdserver: lease is provided");
  public static final StoreException TOO_MANY_OPERATIONS =
      of(Code.INVALID_ARGUMENT, "etcdserver: too many operations in txn request");
  public static final StoreException DUPLICATE_KEY =
      of(Code.INVALID_ARGUMENT, "etcdserver: duplicate key given in txn request");
  public static final StoreException INVALID_SORT =
      of(Code.INVALID_ARGUMENT, "etcdserver: invalid sort option");
  public static final StoreException NO_SPACE =
      of(Code.RESOURCE_EXHAUSTED, "etcdserver: mvcc: database space exceeded");
  public static final StoreException LEASE_NOT_FOUND =
      of(Code.NOT_FOUND, "etcdserver: requested lease not found");
  public static final StoreException LEASE_EXISTS =
      of(Code.FAILED_PRECONDITION, "etcdserver: lease already exists");
  public static final StoreException LEASE_TTL_TOO_LARGE =
      of(Code.OUT_OF_RANGE, "etcdserver: too large lease TTL");

  public static final StoreException JOURNAL =
      of(
          Code.UNAVAILABLE,
          "etcdserver: request timed out, the journal can't be written (see the store's log)");
  public static final StoreException RESPONSE_TOO_LARGE =
      of(
          Code.RESOURCE_EXHAUSTED,
          "etcdserver: the response is larger than 2 GiB, ask for it in pages");
  public static final StoreException SLOW_READER =
      of(
          Code.RESOURCE_EXHAUSTED,
          "etcdserver: too many requests: the client takes its answer too slowly for the memory that"
              + " it takes; ask for less at once, or by a Range outside a Txn");
  public static final StoreException TOO_MANY_DELETIONS =
      of(
          Code.RESOURCE_EXHAUSTED,
          "etcdserver: too many requests: this one deletes more keys than the store's memory has"
              + " room to note at once; delete them in several parts of the range");
  public static final StoreException REQUEST_TOO_LARGE =
      of(Code.INVALID_ARGUMENT, "etcdserver: request is too large");
  public static final StoreException TOO_MANY_REQUESTS =
      of(Code.RESOURCE_EXHAUSTED, "etcdserver: too many requests");
  public static final StoreException AUTH_NOT_ENABLED =
      of(Code.FAILED_PRECONDITION, "etcdserver: authentication is not enabled");
  public static final StoreException STREAM_SORT =
      of(Code.UNIMPLEMENTED, "RangeStream does not support custom sort orders");
  public static final StoreException STREAM_FILTER =
      of(Code.UNIMPLEMENTED, "RangeStream does not support revision filters");

  public static final StoreException NO_USERS =
      of(
          Code.UNIMPLEMENTED,
          "this store has no users and roles; give clients certificates (--client-cert-auth)");
  public static final StoreException NO_FILE =
      of(
          Code.UNIMPLEMENTED,
          "this store has no backend file whose bytes could be hashed; use HashKV");

  /** The client ends a call without its message; as grpc-go says. */
  public static final StoreException NO_REQUEST = of(Code.UNKNOWN, "EOF");

  /**
   * The keys are about to be another store's, or this one's. etcd's client repeats reads and writes
   * alike after this text, which it has for connections that do not come about.
   */
  public static final StoreException MOVING = of(Code.UNAVAILABLE, "there is no address available");

  /** The same of keys that are another store's now, to which a new connection leads. */
  public static final StoreException MOVED = of(Code.UNAVAILABLE, "there is no address available");

  public static final StoreException UNKNOWN_SERVICE = of(Code.NOT_FOUND, "unknown service");
  public static final StoreException LOCK_LEASE_NOT_FOUND =
      of(Code.UNKNOWN, "etcdserver: requested lease not found");
  public static final StoreException LOCK_EMPTY_KEY =
      of(Code.UNKNOWN, "etcdserver: key is not provided");
  public static final StoreException SESSION_EXPIRED =
      of(Code.UNKNOWN, "mutex: session is expired");
  public static final StoreException NO_ELECTIONS =
      of(
          Code.UNIMPLEMENTED,
          "this store has no service of elections; elect by KV and Lease, as 'etcdctl elect' and clients'"
              + " libraries do");
  public static final StoreException ONE_MEMBER =
      of(Code.UNIMPLEMENTED, "this store has one member, which can't be changed");

  private static final long serialVersionUID = 1L;

  private final Code code;

  private StoreException(Code code, String message) {
    super(message, null, false, false);
    this.code = code;
  }

  private static StoreException of(Code code, String message) {
    return new StoreException(code, message);
  }

  /** A message that is not protobuf, as gRPC's servers answer to it. */
  public static StoreException malformed(String what) {
    return of(Code.INTERNAL, "grpc: error unmarshalling request: " + what);
  }

  /** A call that the store had to give up, which may be tried again. */
  public static StoreException unavailable(String why) {
    return of(Code.UNAVAILABLE, "etcdserver: request given up: " + why);
  }

  /** An answer that is made whole and has no room in memory, ever. Words as gRPC's. */
  public static StoreException answerTooLarge(long bytes, long most) {
    return of(
        Code.RESOURCE_EXHAUSTED,
        "trying to send message larger than max (%d vs. %d); ask for less at once, or by a Range outside a Txn, whose answer comes in pieces"
            .formatted(bytes, most));
  }

  public Code code() {
    return code;
  }
}
