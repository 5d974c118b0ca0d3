// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.execute;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.execute.EtcdModel.Version;
import io.exaplane.store.core.memory.KeyValues;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.core.result.OperationResult;
import io.exaplane.store.core.result.RangeResult;
import io.exaplane.store.core.result.TxnResult;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.LongArrayList;

/** The store's answers as the model writes its own. */
public final class StoreText {
  private final MemorySegment memory;

  public StoreText(Keyspace keyspace) {
    this.memory = keyspace.memory();
  }

  public Version version(long record) {
    return new Version(
        new String(Records.copyKey(memory, record), ISO_8859_1),
        new String(KeyValues.copyValue(memory, record), ISO_8859_1),
        KeyValues.createRevision(memory, record),
        Records.modRevision(memory, record),
        KeyValues.version(memory, record),
        KeyValues.lease(memory, record));
  }

  private List<Version> versions(LongArrayList records) {
    List<Version> versions = new ArrayList<>();
    records.forEachOrderedLong(record -> versions.add(version(record)));
    return versions;
  }

  String range(RangeResult result) {
    List<Version> shown = versions(result.records);
    if (result.keysOnly) {
      shown.replaceAll(v -> new Version(v.key(), "", v.create(), v.mod(), v.version(), v.lease()));
    }
    return "range rev=%d count=%d more=%s %s"
        .formatted(result.revision, result.count, result.more, shown);
  }

  String operation(OperationResult result) {
    return switch (result.kind) {
      case RANGE -> range(result.range);
      case PUT ->
          "put rev=%d prev=%s"
              .formatted(
                  result.revision,
                  result.previous.isEmpty() ? null : version(result.previous.getLong(0)));
      case DELETE_RANGE ->
          "delete rev=%d deleted=%d prev=%s"
              .formatted(result.revision, result.deleted, versions(result.previous));
      default -> txn(result.txn());
    };
  }

  String txn(TxnResult result) {
    StringBuilder text = new StringBuilder(result.succeeded ? "then {" : "else {");
    for (int i = 0; i < result.responses.size(); i++) {
      text.append(operation(result.responses.get(i))).append("; ");
    }
    return text.append('}').toString();
  }
}
