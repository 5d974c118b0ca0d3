// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.SpaceLimits;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.lease.Lease;
import io.exaplane.store.core.lease.LeaseState;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.wire.GrpcServices;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** etcdserverpb.Lease. */
final class LeaseService {
  /** On the heap, with what finds it by its id and by its end. */
  private static final long BYTES_PER_LEASE = 256;

  /** Of a field around a key. */
  private static final int FIELD_BYTES = 6;

  /** Of an answer beside what it lists. */
  private static final int ANSWER_BYTES = 96;

  /** A key on the heap, beside its bytes. */
  private static final int KEY_BYTES = 32;

  /** A lease in a list, encoded and on the heap. */
  private static final int LISTED_BYTES = 13;

  private static final int STATE_BYTES = 48;

  private final StoreWriter writer;

  LeaseService(StoreWriter writer) {
    this.writer = writer;
  }

  void register(GrpcServices<Lane> services) {
    Writes.unary(services, "/etcdserverpb.Lease/LeaseGrant", writer, LeaseService::grant);
    Writes.unary(services, "/etcdserverpb.Lease/LeaseRevoke", writer, LeaseService::revoke);
    Writes.stream(services, "/etcdserverpb.Lease/LeaseKeepAlive", writer, LeaseService::keepAlive);
    Writes.unary(services, "/etcdserverpb.Lease/LeaseTimeToLive", writer, LeaseService::timeToLive);
    Writes.unary(services, "/etcdserverpb.Lease/LeaseLeases", writer, LeaseService::leases);
  }

  private static void grant(Applier applier, ProtoReader in, ReverseWriter out) {
    long ttlSeconds = 0;
    long id = 0;
    for (int field = in.field(); field != 0; field = in.field()) {
      switch (field) {
        case 1 -> ttlSeconds = in.number();
        case 2 -> id = in.number();
        default -> in.skip();
      }
    }
    long leaseBytes = applier.leases().size() * BYTES_PER_LEASE;
    long indexBytes = applier.keyspace().space().indexBytes() + leaseBytes;
    // A lease takes nothing but heap, and a kube-apiserver needs one to say that it is there.
    SpaceLimits limits = applier.keyspace().space().limits();
    if (indexBytes - limits.indexBytes() >= limits.indexReserve() / 2) {
      throw StoreException.NO_SPACE;
    }
    Lease lease =
        applier
            .leases()
            .grant(
                id == 0 ? applier.leases().freeId() : id,
                ttlSeconds,
                applier.clockMs().getAsLong());
    out.number(3, lease.ttlSeconds());
    out.number(2, lease.id());
    header(applier, out);
  }

  private static void header(Applier applier, ReverseWriter out) {
    applier.codec().header(out, applier.keyspace().revision());
  }

  private static void revoke(Applier applier, ProtoReader in, ReverseWriter out) {
    applier.executor().revoke(applier.leases().require(in.numberOf(1)));
    header(applier, out);
  }

  /** A lease that is not there has a time of 0 left, which is no error. */
  private static void keepAlive(Applier applier, ProtoReader in, ReverseWriter out) {
    long id = in.numberOf(1);
    Lease lease = applier.leases().get(id);
    if (lease != null) {
      applier.leases().renew(id, applier.clockMs().getAsLong());
      out.number(3, lease.ttlSeconds());
    }
    out.number(2, id);
    header(applier, out);
  }

  private static void timeToLive(Applier applier, ProtoReader in, ReverseWriter out) {
    long id = 0;
    boolean withKeys = false;
    for (int field = in.field(); field != 0; field = in.field()) {
      switch (field) {
        case 1 -> id = in.number();
        case 2 -> withKeys = in.flag();
        default -> in.skip();
      }
    }
    Lease lease = applier.leases().get(id);
    if (lease == null) {
      out.number(3, -1);
    } else {
      if (withKeys) {
        takeRoom(applier, lease);
        List<byte[]> keys = keys(applier, lease);
        applier.answers().prepare(out);
        for (byte[] key : keys.reversed()) {
          out.bytes(5, key, 0, key.length);
        }
      }
      out.number(4, lease.ttlSeconds());
      long leftMs = lease.deadlineMs() - applier.clockMs().getAsLong();
      out.number(3, Math.max(0, leftMs / 1000));
    }
    out.number(2, id);
    header(applier, out);
  }

  private static void takeRoom(Applier applier, Lease lease) {
    long bytes = 0;
    int[] slots = lease.slotArray();
    for (int slot : slots) {
      bytes +=
          FIELD_BYTES
              + Records.keyBytes(
                  applier.keyspace().memory(), applier.keyspace().newestOfSlot(slot));
    }
    // They are put in order before they are written.
    applier.answers().take(bytes + ANSWER_BYTES, bytes + (long) KEY_BYTES * slots.length);
  }

  private static List<byte[]> keys(Applier applier, Lease lease) {
    List<byte[]> keys = new ArrayList<>();
    for (int slot : lease.slotArray()) {
      keys.add(Records.copyKey(applier.keyspace().memory(), applier.keyspace().newestOfSlot(slot)));
    }
    keys.sort(Arrays::compareUnsigned);
    return keys;
  }

  private static void leases(Applier applier, ProtoReader in, ReverseWriter out) {
    long leases = applier.leases().size();
    applier.answers().take(leases * LISTED_BYTES + ANSWER_BYTES, leases * STATE_BYTES);
    applier.answers().prepare(out);
    for (LeaseState lease : applier.leases().states()) {
      int mark = out.length();
      out.number(1, lease.id());
      out.message(2, mark);
    }
    header(applier, out);
  }
}
