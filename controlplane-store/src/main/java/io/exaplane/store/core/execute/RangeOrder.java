// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.execute;

import io.exaplane.store.core.memory.KeyValues;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.core.request.RangeRequest;
import java.lang.foreign.MemorySegment;

/** What a Range request's filters let pass and which order it asks for. Pure. */
public final class RangeOrder {
  private RangeOrder() {}

  /** Whether a version is among those that a request asks for by revision. */
  public static boolean passes(MemorySegment memory, RangeRequest request, long record) {
    if (!request.hasRevisionFilter()) {
      return true;
    }
    long mod = Records.modRevision(memory, record);
    long create = KeyValues.createRevision(memory, record);
    return mod >= request.minModRevision
        && (request.maxModRevision == 0 || mod <= request.maxModRevision)
        && create >= request.minCreateRevision
        && (request.maxCreateRevision == 0 || create <= request.maxCreateRevision);
  }

  /**
   * How many versions, of those that pass, are to be looked at in the order of keys. As in etcd:
   * for any order asked for, and any filter, all.
   */
  public static long most(RangeRequest request) {
    boolean whole = request.sortOrder != RangeRequest.ORDER_NONE || request.hasRevisionFilter();
    boolean unlimited = request.limit <= 0 || request.limit == Long.MAX_VALUE;
    return whole || unlimited ? Long.MAX_VALUE : request.limit + 1;
  }

  /** The order of records that a request asks for. */
  public static StepwiseSort.Order of(MemorySegment memory, RangeRequest request) {
    StepwiseSort.Order order =
        switch (request.sortTarget) {
          case RangeRequest.TARGET_VERSION ->
              (a, b) -> Long.compare(KeyValues.version(memory, a), KeyValues.version(memory, b));
          case RangeRequest.TARGET_CREATE ->
              (a, b) ->
                  Long.compare(
                      KeyValues.createRevision(memory, a), KeyValues.createRevision(memory, b));
          case RangeRequest.TARGET_MOD ->
              (a, b) ->
                  Long.compare(Records.modRevision(memory, a), Records.modRevision(memory, b));
          case RangeRequest.TARGET_VALUE -> (a, b) -> KeyValues.compareValues(memory, a, b);
          default -> (a, b) -> Records.compareKeys(memory, a, b);
        };
    return request.sortOrder == RangeRequest.ORDER_DESCEND ? order.reversed() : order;
  }
}
