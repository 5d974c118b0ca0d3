// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.codec.RequestCodec;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.execute.WriteExecutor;
import io.exaplane.store.core.lease.Lease;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.request.DeleteRangeRequest;
import io.exaplane.store.core.request.PutRequest;
import io.exaplane.store.core.request.Slice;
import io.exaplane.store.core.request.TxnRequest;
import io.exaplane.store.core.result.OperationResult;
import io.exaplane.store.core.result.TxnResult;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Carries out the requests of an {@link EtcdTail} on a keyspace that is where the backend file is,
 * as the etcd does that starts again (server/etcdserver/apply). What the etcd refused is refused
 * again and changes nothing. Of what is not plainly known, it stops. For one thread.
 */
final class EtcdReplay {
  private static final int OF_VERSION_2 = 2;
  private static final int PUT = 4;
  private static final int DELETE_RANGE = 5;
  private static final int TXN = 6;
  private static final int COMPACTION = 7;
  private static final int GRANT = 8;
  private static final int REVOKE = 9;
  private static final int ALARM = 10;
  private static final int CHECKPOINT = 11;
  private static final int FIRST_OF_AUTH = 1000;
  private static final int LAST_OF_AUTH = 1299;

  /** The id, reads, the header, and what is about members and versions. */
  private static final Set<Integer> WITHOUT_CHANGE = Set.of(1, 3, 100, 1300, 1301, 1302, 9900);

  /** Kinds of entries beside requests: changes of the cluster's members. */
  private static final int REQUEST = 0;

  private final ProtoReader in = new ProtoReader();
  private final PutRequest put = new PutRequest();
  private final DeleteRangeRequest deleteRange = new DeleteRangeRequest();
  private final TxnRequest txn = new TxnRequest();
  private final OperationResult result = new OperationResult();
  private final TxnResult txnResult = new TxnResult();
  private final Keyspace keyspace;
  private final long revisionOfFile;
  private final Leases leases;
  private final WriteExecutor executor;
  private final long nowMs;
  private final EtcdTail tail;
  private long done;
  private String obstacle = "";

  /**
   * @param nowMs from then on leases have the time that they are given
   */
  EtcdReplay(EtcdTail tail, Keyspace keyspace, Leases leases, long nowMs) {
    this.tail = tail;
    this.keyspace = keyspace;
    this.revisionOfFile = keyspace.revision();
    this.leases = leases;
    this.executor = new WriteExecutor(keyspace, leases);
    this.nowMs = nowMs;
    this.done = tail.applied();
  }

  /**
   * Carries out all entries.
   *
   * @throws IOException if one can't be carried out here, with the next action
   */
  void run() throws IOException {
    new LogFrames(this::frame).read(tail.segments());
    if (obstacle.isEmpty() && done != tail.last()) {
      obstacle = "entry %d is missing".formatted(done + 1);
    }
    if (!obstacle.isEmpty()) {
      throw tail.refusal(obstacle);
    }
  }

  private void frame(long type, Slice data) {
    if (type != LogFrames.ENTRY || !obstacle.isEmpty()) {
      return;
    }
    long kind = REQUEST;
    long index = 0;
    Slice request = new Slice();
    in.open(data.array(), data.offset(), data.length());
    for (int field = in.field(); field != 0; field = in.field()) {
      switch (field) {
        case 1 -> kind = in.number();
        case 3 -> index = in.number();
        case 4 -> in.bytes(request);
        default -> in.skip();
      }
    }
    if (index <= tail.applied()) {
      return;
    }
    if (index != done + 1) {
      obstacle = "entry %d comes where entry %d belongs".formatted(index, done + 1);
    } else if (kind != REQUEST) {
      obstacle = "entry %d changes the members".formatted(index);
    } else {
      done = index;
      request(request);
    }
  }

  /** A new leader's first entry is empty; requests of version 2 have another form. */
  private void request(Slice request) {
    in.open(request.array(), request.offset(), request.length());
    for (int field = in.field(); field != 0 && obstacle.isEmpty(); field = in.field()) {
      if (field == OF_VERSION_2) {
        return;
      }
      switch (field) {
        case PUT, DELETE_RANGE, TXN, COMPACTION, GRANT, REVOKE, ALARM, CHECKPOINT -> {
          int outer = in.enter();
          Runnable change = change(field);
          in.leave(outer);
          carryOut(change);
        }
        default -> {
          in.skip();
          obstacle = obstacleOf(field);
        }
      }
    }
  }

  private String obstacleOf(int field) {
    if (field >= FIRST_OF_AUTH && field <= LAST_OF_AUTH) {
      return "entry %d is about users and roles".formatted(done);
    }
    return WITHOUT_CHANGE.contains(field)
        ? ""
        : "entry %d is a request of a later etcd (field %d)".formatted(done, field);
  }

  /** Reads a request. */
  private Runnable change(int field) {
    switch (field) {
      case PUT -> {
        RequestCodec.put(in, put);
        return () -> executor.put(put, result);
      }
      case DELETE_RANGE -> {
        RequestCodec.deleteRange(in, deleteRange);
        return () -> executor.deleteRange(deleteRange, result);
      }
      case TXN -> {
        RequestCodec.txn(in, txn);
        return () -> executor.txn(txn, txnResult);
      }
      case COMPACTION -> {
        long at = in.numberOf(1);
        return () -> compact(at);
      }
      case GRANT -> {
        return grant();
      }
      case REVOKE -> {
        long id = in.numberOf(1);
        return () -> executor.revoke(leases.require(id));
      }
      case ALARM -> {
        // The first kind of action only asks.
        obstacle = in.numberOf(1) == 0 ? "" : "entry %d is about an alarm".formatted(done);
        return () -> {};
      }
      default -> {
        return checkpoints();
      }
    }
  }

  private void carryOut(Runnable change) {
    try {
      change.run();
    } catch (StoreException e) {
      // The etcd refused it as well, unless it is about history, of which the file here has none.
      if (e == StoreException.COMPACTED) {
        obstacle = "entry %d reads an old revision".formatted(done);
      }
    }
  }

  /** Older history is compacted in any case; what the etcd refused changes nothing. */
  private void compact(long at) {
    if (at > revisionOfFile && at > keyspace.compactedRevision() && at <= keyspace.revision()) {
      keyspace.compact(at);
    }
  }

  private Runnable grant() {
    long ttlSeconds = 0;
    long id = 0;
    for (int field = in.field(); field != 0; field = in.field()) {
      switch (field) {
        case 1 -> ttlSeconds = in.number();
        case 2 -> id = in.number();
        default -> in.skip();
      }
    }
    long granted = id;
    long seconds = ttlSeconds;
    return () -> leases.grant(granted, seconds, nowMs);
  }

  private Runnable checkpoints() {
    Map<Long, Long> left = new HashMap<>();
    for (int field = in.field(); field != 0; field = in.field()) {
      if (field == 1) {
        int outer = in.enter();
        checkpoint(left);
        in.leave(outer);
      } else {
        in.skip();
      }
    }
    return () -> left.forEach(this::setLeft);
  }

  private void checkpoint(Map<Long, Long> left) {
    long id = 0;
    long leftSeconds = 0;
    for (int field = in.field(); field != 0; field = in.field()) {
      switch (field) {
        case 1 -> id = in.number();
        case 2 -> leftSeconds = in.number();
        default -> in.skip();
      }
    }
    left.put(id, leftSeconds);
  }

  private void setLeft(long id, long seconds) {
    Lease lease = leases.get(id);
    if (lease != null) {
      long left = seconds > 0 ? seconds : lease.ttlSeconds(); // 0: the lease was renewed
      leases.move(lease, nowMs + left * 1000);
    }
  }
}
