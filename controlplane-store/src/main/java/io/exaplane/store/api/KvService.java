// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.codec.RequestCodec;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.request.RequestChecks;
import io.exaplane.store.wire.GrpcServices;

/**
 * etcdserverpb.KV. Reads are done by the event loop that they came in by, the rest by the writer.
 */
final class KvService {
  private final StoreWriter writer;
  private final RevisionPins pins;
  private final int maxTxnOperations;

  KvService(StoreWriter writer, RevisionPins pins, int maxTxnOperations) {
    this.writer = writer;
    this.pins = pins;
    this.maxTxnOperations = maxTxnOperations;
  }

  void register(GrpcServices<Lane> services) {
    services.add("/etcdserverpb.KV/Range", (stream, lane) -> new RangeCall(stream, lane, pins));
    services.add(
        "/etcdserverpb.KV/RangeStream", (stream, lane) -> new RangeStreamCall(stream, lane, pins));
    Writes.unary(services, "/etcdserverpb.KV/Put", writer, KvService::put);
    Writes.unary(services, "/etcdserverpb.KV/DeleteRange", writer, KvService::deleteRange);
    Writes.unary(services, "/etcdserverpb.KV/Txn", writer, this::txn);
    Writes.unary(services, "/etcdserverpb.KV/Compact", writer, KvService::compact);
  }

  private static void put(Applier applier, ProtoReader in, ReverseWriter out) {
    RequestCodec.put(in, applier.put());
    RequestChecks.check(applier.put());
    applier.gate().pass(applier.put());
    applier.executor().put(applier.put(), applier.operationResult());
    applier.codec().put(applier.answers().prepare(out), applier.operationResult());
  }

  private static void deleteRange(Applier applier, ProtoReader in, ReverseWriter out) {
    RequestCodec.deleteRange(in, applier.deleteRange());
    RequestChecks.check(applier.deleteRange());
    applier.gate().pass(applier.deleteRange());
    applier.executor().deleteRange(applier.deleteRange(), applier.operationResult());
    applier.codec().deleteRange(applier.answers().prepare(out), applier.operationResult());
  }

  private void txn(Applier applier, ProtoReader in, ReverseWriter out) {
    RequestCodec.txn(in, applier.txn());
    RequestChecks.check(applier.txn(), maxTxnOperations);
    applier.gate().pass(applier.txn());
    applier.executor().txn(applier.txn(), applier.txnResult());
    applier.codec().txn(applier.answers().prepare(out), applier.txnResult());
  }

  private static void compact(Applier applier, ProtoReader in, ReverseWriter out) {
    applier.compact(in.numberOf(1));
    applier.codec().header(out, applier.keyspace().revision());
  }
}
