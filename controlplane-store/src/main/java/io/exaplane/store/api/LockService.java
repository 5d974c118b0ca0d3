// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.execute.RangeExecutor;
import io.exaplane.store.core.lease.Lease;
import io.exaplane.store.core.memory.KeyValues;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.core.request.DeleteRangeRequest;
import io.exaplane.store.core.request.PutRequest;
import io.exaplane.store.core.request.RangeRequest;
import io.exaplane.store.core.request.Slice;
import io.exaplane.store.core.result.OperationResult;
import io.exaplane.store.core.result.RangeResult;
import io.exaplane.store.wire.GrpcServices;
import io.exaplane.store.wire.GrpcStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * v3lockpb.Lock, as etcd's: who wants a lock puts a key of its lease below the lock's name, and has
 * it when no older one is there. A client that leaves while it waits takes its key along.
 */
final class LockService {
  /** Of a lock without a lease of its own. */
  private static final long USUAL_TTL_SECONDS = 60;

  private static final String LOCK = "/v3lockpb.Lock/Lock";

  private final StoreWriter writer;

  LockService(StoreWriter writer) {
    this.writer = writer;
  }

  void register(GrpcServices<Lane> services) {
    services.add(LOCK, this::lock);
    Writes.unary(services, "/v3lockpb.Lock/Unlock", writer, LockService::unlock);
  }

  private WriteCall lock(GrpcStream stream, Lane lane) {
    return new WriteCall(WriteMethod.of(LOCK, writer, new Lock()), stream, lane);
  }

  private static void unlock(Applier applier, ProtoReader in, ReverseWriter out) {
    Slice key = new Slice();
    for (int field = in.field(); field != 0; field = in.field()) {
      if (field == 1) {
        in.bytes(key);
      } else {
        in.skip();
      }
    }
    if (key.isEmpty()) {
      throw StoreException.LOCK_EMPTY_KEY;
    }
    applier.gate().passWrite(key);
    delete(applier, key.copy());
    applier.codec().header(out, applier.keyspace().revision());
  }

  private static void delete(Applier applier, byte[] key) {
    DeleteRangeRequest request = new DeleteRangeRequest();
    request.key.set(key);
    applier.executor().deleteRange(request, new OperationResult());
  }

  /** One who wants the lock. Used by the writer. */
  private static final class Lock implements WriteCommand.Work {
    private byte[] prefix;
    private byte[] key;
    private byte[] before;

    @Override
    public void apply(Applier applier, ProtoReader in, ReverseWriter out) {
      Slice name = new Slice();
      long id = 0;
      for (int field = in.field(); field != 0; field = in.field()) {
        switch (field) {
          case 1 -> in.bytes(name);
          case 2 -> id = in.number();
          default -> in.skip();
        }
      }
      prefix = join(name.copy(), "/");
      applier.gate().passWriteIn(KeyRange.ofPrefix(prefix));
      Lease lease = lease(applier, id);
      key = join(prefix, Long.toHexString(lease.id()));
      if (created(applier) == 0) {
        PutRequest put = new PutRequest();
        put.key.set(key);
        put.lease = lease.id();
        applier.executor().put(put, new OperationResult());
      }
      resume(applier, in, out);
    }

    private static Lease lease(Applier applier, long id) {
      if (id != 0) {
        Lease lease = applier.leases().get(id);
        if (lease == null) {
          throw StoreException.LOCK_LEASE_NOT_FOUND;
        }
        return lease;
      }
      long free = applier.leases().freeId();
      return applier.leases().grant(free, USUAL_TTL_SECONDS, applier.clockMs().getAsLong());
    }

    private static byte[] join(byte[] front, String end) {
      byte[] bytes = end.getBytes(StandardCharsets.US_ASCII);
      return ByteBuffer.allocate(front.length + bytes.length).put(front).put(bytes).array();
    }

    /** The revision since which its key is there; 0 if it is not. */
    private long created(Applier applier) {
      long record = applier.keyspace().newest(key, 0, key.length);
      return record == 0 ? 0 : KeyValues.createRevision(applier.keyspace().memory(), record);
    }

    @Override
    public void resume(Applier applier, ProtoReader in, ReverseWriter out) {
      long created = created(applier);
      if (created == 0) {
        throw StoreException.SESSION_EXPIRED;
      }
      before = before(applier, created);
      if (before != null) {
        throw WriteCommand.LATER;
      }
      out.bytes(2, key, 0, key.length);
      applier.codec().header(out, applier.keyspace().revision());
    }

    /**
     * The youngest key of the lock that is older than its own, as etcd's locks look for; null if it
     * is first.
     */
    private byte[] before(Applier applier, long created) {
      if (created <= 1) {
        return null;
      }
      RangeRequest older = new RangeRequest();
      older.key.set(prefix);
      byte[] end = prefix.clone();
      end[end.length - 1]++; // it is a slash
      older.rangeEnd.set(end);
      older.maxCreateRevision = created - 1;
      RangeResult found = new RangeResult();
      new RangeExecutor(applier.keyspace()).execute(applier.keyspace().working(), older, found);
      MemorySegment memory = applier.keyspace().memory();
      long youngest = 0;
      for (int i = 0; i < found.records.size(); i++) {
        long record = found.records.get(i);
        if (youngest == 0
            || KeyValues.createRevision(memory, record)
                > KeyValues.createRevision(memory, youngest)) {
          youngest = record;
        }
      }
      return youngest == 0 ? null : Records.copyKey(memory, youngest);
    }

    @Override
    public byte[] awaits() {
      return before;
    }

    @Override
    public void abandon(Applier applier, ProtoReader in) {
      if (created(applier) != 0) {
        delete(applier, key);
      }
    }
  }
}
