// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.exaplane.cli.etcd.Wire.Writer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RecordedCallTest {
  private static final String ROOT = "/registry/";

  private long now;
  private final Recording recording = new Recording(() -> now);

  private void passMs(long ms) {
    now += TimeUnit.MILLISECONDS.toNanos(ms);
  }

  private RecordedCall call(String method) {
    return new RecordedCall(recording, method, ROOT);
  }

  private static byte[] watch(String key) {
    return new Writer()
        .bytes(1, new Writer().bytes(1, AskedTest.bytes(key)).bytes(2, new byte[] {1}).end())
        .end();
  }

  private static Writer answer(long id) {
    return new Writer().bytes(1, new byte[] {8, 1}).number(2, id);
  }

  @Test
  void aListHasItsObjectsBytesAndTime() {
    RecordedCall list = call("KV/Range");
    byte[] request =
        new Writer()
            .bytes(1, AskedTest.bytes("/registry/pods/"))
            .bytes(2, AskedTest.bytes("/registry/pods0"))
            .end();
    passMs(5_000); // the client opened the call and said nothing yet
    list.request(request);
    passMs(40);
    byte[] answer = new Writer().bytes(2, new byte[9]).bytes(2, new byte[9]).number(4, 2).end();
    list.answer(answer);
    list.ended(false);
    TraceRow row = recording.trace("s").rows().getFirst();
    assertThat(row.kind()).isEqualTo("pods");
    assertThat(row.operation()).isEqualTo("list");
    assertThat(row.requests()).isEqualTo(1);
    assertThat(row.failed()).isZero();
    assertThat(row.items()).isEqualTo(2);
    assertThat(row.requestBytes()).isEqualTo(request.length);
    assertThat(row.answerBytes()).isEqualTo(answer.length);
    assertThat(row.p50Ms()).isBetween(39.0, 41.0);
    assertThat(row.totalMs()).isEqualTo(40);
  }

  @Test
  void aFailureCounts() {
    RecordedCall grant = call("Lease/LeaseGrant");
    grant.request(new byte[] {8, 60});
    grant.ended(true);
    TraceRow row = recording.trace("s").rows().getFirst();
    assertThat(row.operation()).isEqualTo("lease grant");
    assertThat(row.failed()).isEqualTo(1);
  }

  /** Numbers of watches come in the order in which they were asked for. */
  @Test
  void eventsBelongToTheWatchOfTheirNumber() {
    RecordedCall call = call("Watch/Watch");
    call.request(watch("/registry/pods/"));
    call.request(watch("/registry/leases/"));
    call.answer(answer(10).number(3, 1).end());
    call.answer(answer(11).number(3, 1).end());
    call.answer(answer(11).bytes(11, new byte[50]).bytes(11, new byte[60]).end());
    call.answer(answer(10).bytes(11, new byte[70]).end());
    Trace trace = recording.trace("s");
    assertThat(trace.openWatches()).isEqualTo(2);
    assertThat(trace.rows())
        .extracting(TraceRow::kind, TraceRow::operation, TraceRow::requests, TraceRow::items)
        .containsExactlyInAnyOrder(
            tuple("pods", "watch", 1L, 1L), tuple("leases", "watch", 1L, 2L));
    assertThat(trace.rows()).allMatch(row -> row.p99Ms() == 0);
    call.answer(answer(10).number(4, 1).end());
    assertThat(recording.trace("s").openWatches()).isEqualTo(1);
    call.ended(true);
    assertThat(recording.trace("s").openWatches()).isZero();
  }

  @Test
  void eachKeepAliveIsARequest() {
    RecordedCall call = call("Lease/LeaseKeepAlive");
    for (int i = 0; i < 3; i++) {
      call.request(new byte[] {8, 7});
      passMs(10);
      call.answer(new byte[] {16, 7});
    }
    call.ended(false);
    TraceRow row = recording.trace("s").rows().getFirst();
    assertThat(row.requests()).isEqualTo(3);
    assertThat(row.requestBytes()).isEqualTo(6);
    assertThat(row.p50Ms()).isBetween(9.0, 11.0);
  }

  /** Clients choose keys: so many Kinds take bounded memory. */
  @Test
  void kindsAreBounded() {
    for (int i = 0; i < 10_000; i++) {
      recording.ended(new Asked("kind" + i, "get"), 1_000, false, 0, 1, 1);
    }
    List<TraceRow> rows = recording.trace("s").rows();
    assertThat(rows).hasSizeLessThanOrEqualTo(4_097);
    assertThat(rows.stream().mapToLong(TraceRow::requests).sum()).isEqualTo(10_000);
    assertThat(rows.getFirst().kind()).isEqualTo("other");
  }
}
