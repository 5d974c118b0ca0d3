// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.Seeds;
import io.exaplane.store.core.Cleaner;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RangeReader;
import io.exaplane.store.core.SpaceLimits;
import io.exaplane.store.core.View;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.execute.EtcdModel.Event;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.core.memory.Region;
import io.exaplane.store.core.request.DeleteRangeRequest;
import io.exaplane.store.core.request.PutRequest;
import io.exaplane.store.core.request.RangeRequest;
import io.exaplane.store.core.request.RequestChecks;
import io.exaplane.store.core.request.TxnRequest;
import io.exaplane.store.core.result.OperationResult;
import io.exaplane.store.core.result.RangeResult;
import io.exaplane.store.core.result.TxnResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kind of request, any options, against the model: same answers, same errors, same events.
 */
class RequestsAgainstModelTest {
  private static final int SMALL_SEGMENT_SHIFT = 12;

  private final Region region = Region.reserve(64 << 20, SMALL_SEGMENT_SHIFT);
  private final Leases leases = new Leases(new Random(1)::nextLong);
  private final Keyspace keyspace =
      new Keyspace(region, leases, KeyClasses.plain(), SpaceLimits.NONE, 7, 1);
  private final WriteExecutor writes = new WriteExecutor(keyspace, leases);
  private final RangeExecutor reads = new RangeExecutor(keyspace);
  private final Cleaner cleaner = keyspace.cleaner();
  private final StoreText text = new StoreText(keyspace);
  private final EtcdModel model = new EtcdModel();
  private final PutRequest put = new PutRequest();
  private final DeleteRangeRequest delete = new DeleteRangeRequest();
  private final RangeRequest range = new RangeRequest();
  private final TxnRequest txn = new TxnRequest();
  private final OperationResult result = new OperationResult();
  private final TxnResult txnResult = new TxnResult();
  private final RangeResult rangeResult = new RangeResult();

  @AfterEach
  void close() {
    region.close();
  }

  static LongStream seeds() {
    return Seeds.of(300);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void answersAsTheModel(long seed) {
    Random random = new Random(seed);
    RandomRequests requests = new RandomRequests(random, random.nextInt(2, 40));
    for (int step = 0; step < 400; step++) {
      step(random, requests);
      assertThat(keyspace.revision()).isEqualTo(model.revision);
      keyspace.publish();
      if (random.nextInt(4) == 0) {
        cleaner.clean(random.nextInt(1, 64), () -> Long.MAX_VALUE);
      }
    }
    assertThat(events()).isEqualTo(model.events);
  }

  private void step(Random random, RandomRequests requests) {
    switch (random.nextInt(20)) {
      case 0, 1, 2, 3, 4 -> {
        requests.put(put);
        same(() -> checked(() -> RequestChecks.check(put), () -> model.put(put)), this::put);
      }
      case 5, 6 -> {
        requests.deleteRange(delete);
        same(() -> model.deleteRange(delete), this::delete);
      }
      case 7, 8, 9, 10, 11 -> {
        requests.range(range, model.revision);
        same(() -> model.range(range), this::range);
      }
      case 12 -> compact(model.revision - random.nextInt(-2, 30));
      case 13 -> lease(random.nextInt(1, 5), random.nextBoolean());
      default -> {
        requests.txn(txn, model.revision, 2);
        same(() -> checked(() -> RequestChecks.check(txn, 128), () -> model.txn(txn)), this::txn);
      }
    }
  }

  private static String checked(Runnable check, Supplier<String> answer) {
    check.run();
    return answer.get();
  }

  private static void same(Supplier<String> model, Supplier<String> store) {
    assertThat(answer(store)).isEqualTo(answer(model));
  }

  private static String answer(Supplier<String> of) {
    try {
      return of.get();
    } catch (StoreException e) {
      return e.getMessage();
    }
  }

  private String put() {
    RequestChecks.check(put);
    writes.put(put, result);
    return text.operation(result);
  }

  private String delete() {
    writes.deleteRange(delete, result);
    return text.operation(result);
  }

  private String txn() {
    RequestChecks.check(txn, 128);
    writes.txn(txn, txnResult);
    return "rev=" + txnResult.revision + " " + text.txn(txnResult);
  }

  private String range() {
    reads.execute(keyspace.view(), range, rangeResult);
    return text.range(rangeResult);
  }

  private void compact(long at) {
    same(
        () -> {
          model.compact(at);
          return "done";
        },
        () -> {
          keyspace.compact(at);
          return "done";
        });
  }

  private void lease(long id, boolean grant) {
    if (grant && leases.get(id) == null) {
      leases.grant(id, 10, 0);
      model.leases.put(id, 10L);
    } else if (!grant) {
      boolean there = leases.get(id) != null;
      if (there) {
        writes.revoke(leases.require(id));
      }
      assertThat(model.revoke(id)).isEqualTo(there);
    }
  }

  private List<Event> events() {
    View view = keyspace.view();
    RangeReader reader = new RangeReader(keyspace);
    List<Event> found = new ArrayList<>();
    long from = Math.max(0, view.compactedRevision());
    for (long at = reader.firstEventFrom(view, from); at < view.events(); at++) {
      long record = reader.event(at);
      long before = reader.before(record);
      found.add(
          new Event(
              Records.modRevision(keyspace.memory(), record),
              text.version(record).key(),
              Records.isTombstone(keyspace.memory(), record) ? null : text.version(record),
              before == 0 ? null : text.version(before)));
    }
    return found;
  }
}
