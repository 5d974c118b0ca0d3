// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.backup.HashedHistory;
import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.codec.ResponseCodec;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.memory.EpochReclaimer;
import io.exaplane.store.core.memory.RecordLog;
import io.exaplane.store.wire.GrpcMethod;
import io.exaplane.store.wire.GrpcServices;
import io.exaplane.store.wire.GrpcStream;

/** etcdserverpb.Maintenance: what a store without raft can say and do. */
final class MaintenanceService {
  private static final int NO_SPACE = 1;
  private static final int DEACTIVATE = 2;

  private final StoreWriter writer;
  private final MaintenanceWorker worker;
  private final RevisionPins pins;
  private final Identity identity;
  private final RememberedHashes hashes;

  MaintenanceService(
      StoreWriter writer,
      MaintenanceWorker worker,
      RevisionPins pins,
      Identity identity,
      RememberedHashes hashes) {
    this.writer = writer;
    this.worker = worker;
    this.pins = pins;
    this.identity = identity;
    this.hashes = hashes;
  }

  void register(GrpcServices<Lane> services) {
    Writes.unary(services, "/etcdserverpb.Maintenance/Status", writer, this::status);
    services.add("/etcdserverpb.Maintenance/HashKV", GrpcMethod.unary(this::hashKv));
    services.add(
        "/etcdserverpb.Maintenance/Hash",
        GrpcMethod.unary(
            (stream, lane, array, offset, length) -> stream.fail(StoreException.NO_FILE)));
    services.add(
        "/etcdserverpb.Maintenance/Snapshot",
        (stream, lane) -> new SnapshotCall(stream, lane, writer, worker));
    Writes.unary(
        services, "/etcdserverpb.Maintenance/Defragment", writer, MaintenanceService::header);
    Writes.unary(services, "/etcdserverpb.Maintenance/Alarm", writer, this::alarm);
  }

  private void status(Applier applier, ProtoReader in, ReverseWriter out) {
    RecordLog records = applier.keyspace().records();
    long revision = applier.keyspace().revision();
    out.number(12, applier.keyspace().space().limits().recordBytes());
    out.text(11, identity.version().substring(0, identity.version().lastIndexOf('.')) + ".0");
    out.number(9, records.recordBytes());
    if (writer.spaceAlarm().isListed()) {
      out.text(8, "memberID:%d alarm:NOSPACE ".formatted(identity.memberId()));
    }
    out.number(7, revision);
    out.number(6, ResponseCodec.TERM);
    out.number(5, revision);
    out.number(4, identity.memberId());
    out.number(3, records.recordBytes());
    out.text(2, identity.version());
    applier.codec().header(out, revision);
  }

  private void hashKv(GrpcStream stream, Lane lane, byte[] array, int offset, int length) {
    try {
      long asked = lane.proto.open(array, offset, length).numberOf(1);
      worker.submit(stream, epoch -> hash(stream, lane, asked, epoch));
    } catch (StoreException e) {
      stream.fail(e);
    }
  }

  /** By the maintenance thread. */
  private void hash(GrpcStream stream, Lane lane, long asked, EpochReclaimer.Reader epoch) {
    RememberedHashes.Hash remembered = hashes.of(asked);
    if (remembered != null) {
      long revision = lane.keyspace.view().revision();
      stream.loop().execute(() -> answer(stream, lane, revision, remembered));
      return;
    }
    try (HashedHistory history = HashedHistory.open(lane.keyspace, pins, epoch, asked)) {
      RememberedHashes.Hash hash =
          new RememberedHashes.Hash(
              history.upTo(), history.compactedRevision(), history.hash(epoch));
      hashes.asked(hash);
      stream.loop().execute(() -> answer(stream, lane, history.revision(), hash));
    } catch (StoreException e) {
      stream.loop().execute(() -> stream.fail(e));
    }
  }

  private static void answer(
      GrpcStream stream, Lane lane, long revision, RememberedHashes.Hash hash) {
    ReverseWriter out = lane.out.clear();
    out.number(4, hash.revision());
    out.number(3, hash.compactedRevision());
    out.number(2, Integer.toUnsignedLong(hash.value()));
    lane.codec.header(out, revision);
    stream.reply(out.array(), out.start(), out.length());
  }

  /** Lists the alarm, or disarms it; a client can't raise it. */
  private void alarm(Applier applier, ProtoReader in, ReverseWriter out) {
    boolean isListed = writer.spaceAlarm().isListed();
    if (in.numberOf(1) == DEACTIVATE) {
      writer.spaceAlarm().disarm();
    }
    if (isListed) {
      int mark = out.length();
      out.number(2, NO_SPACE);
      out.number(1, identity.memberId());
      out.message(2, mark);
    }
    header(applier, in, out);
  }

  /** There is nothing to defragment. */
  private static void header(Applier applier, ProtoReader in, ReverseWriter out) {
    applier.codec().header(out, applier.keyspace().revision());
  }
}
