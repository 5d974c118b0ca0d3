// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.codec.ResponseCodec;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.execute.WriteExecutor;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.request.DeleteRangeRequest;
import io.exaplane.store.core.request.PutRequest;
import io.exaplane.store.core.request.TxnRequest;
import io.exaplane.store.core.result.OperationResult;
import io.exaplane.store.core.result.TxnResult;
import io.exaplane.store.move.MoveGate;
import java.util.function.LongSupplier;

/**
 * What commands work with. Used by the writer only.
 *
 * @param clockMs time for leases, in milliseconds since 1970
 */
record Applier(
    Keyspace keyspace,
    Leases leases,
    RevisionPins pins,
    WriteExecutor executor,
    ResponseCodec codec,
    LongSupplier clockMs,
    RememberedHashes hashes,
    WriterAnswers answers,
    MoveGate gate,
    PutRequest put,
    DeleteRangeRequest deleteRange,
    TxnRequest txn,
    OperationResult operationResult,
    TxnResult txnResult) {

  static Applier of(
      Keyspace keyspace,
      Leases leases,
      RevisionPins pins,
      ResponseCodec codec,
      LongSupplier clockMs,
      RememberedHashes hashes,
      AnswerBudget budget,
      MoveGate gate) {
    WriterAnswers answers = new WriterAnswers(budget);
    return new Applier(
        keyspace,
        leases,
        pins,
        new WriteExecutor(keyspace, leases, answers),
        codec,
        clockMs,
        hashes,
        answers,
        gate,
        new PutRequest(),
        new DeleteRangeRequest(),
        new TxnRequest(),
        new OperationResult(),
        new TxnResult());
  }

  /** Tells the store's counters the time, between two batches. */
  void tick() {
    keyspace.space().classes().ages().tick(clockMs.getAsLong(), keyspace.revision());
  }

  /** Compacts; throws what {@link Keyspace#compact} does. */
  void compact(long revision) {
    long before = keyspace.compactedRevision();
    keyspace.compact(revision);
    hashes.compacted(before, revision);
  }
}
