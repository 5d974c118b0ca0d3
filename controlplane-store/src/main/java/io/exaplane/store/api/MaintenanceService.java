// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.codec.ResponseCodec;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.memory.RecordLog;
import io.exaplane.store.wire.GrpcServices;

/** etcdserverpb.Maintenance: what a store without raft and without a file can say and do. */
final class MaintenanceService {
  private final StoreWriter writer;
  private final Identity identity;

  MaintenanceService(StoreWriter writer, Identity identity) {
    this.writer = writer;
    this.identity = identity;
  }

  void register(GrpcServices<Lane> services) {
    services.add("/etcdserverpb.Maintenance/Status", Writes.unary(writer, this::status));
    services.add(
        "/etcdserverpb.Maintenance/Defragment", Writes.unary(writer, MaintenanceService::header));
    services.add(
        "/etcdserverpb.Maintenance/Alarm", Writes.unary(writer, MaintenanceService::header));
  }

  private void status(Applier applier, ProtoReader in, ReverseWriter out) {
    RecordLog records = applier.keyspace().records();
    long revision = applier.keyspace().revision();
    out.text(11, identity.version().substring(0, identity.version().lastIndexOf('.')) + ".0");
    out.number(9, records.recordBytes());
    out.number(7, revision);
    out.number(6, ResponseCodec.TERM);
    out.number(5, revision);
    out.number(4, identity.memberId());
    out.number(3, records.takenBytes());
    out.text(2, identity.version());
    applier.codec().header(out, revision);
  }

  /** There is nothing to defragment, and no alarm is raised that a client could end. */
  private static void header(Applier applier, ProtoReader in, ReverseWriter out) {
    applier.codec().header(out, applier.keyspace().revision());
  }
}
