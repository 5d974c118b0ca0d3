// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.wire.GrpcStream;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which clients the log says write. */
class WritersTest {
  private static final WriteMethod PUT = WriteMethod.of("/etcdserverpb.KV/Put", null, null);
  private static final WriteMethod MEMBERS =
      WriteMethod.of("/etcdserverpb.Cluster/MemberList", null, null);

  private final List<String> lines = new ArrayList<>();
  private long nowNanos = 7;
  private final Writers writers = new Writers(lines::add, () -> nowNanos);

  /** A call of which nothing but its client matters. */
  private static GrpcStream call(String client, boolean isFirst) {
    return (GrpcStream)
        Proxy.newProxyInstance(
            WritersTest.class.getClassLoader(),
            new Class<?>[] {GrpcStream.class},
            (_, method, _) ->
                switch (method.getName()) {
                  case "client" -> client;
                  case "isFirstWrite" -> isFirst;
                  default -> throw new AssertionError(method);
                });
  }

  @Test
  void theFirstWriteOfAConnectionNamesItsClient() {
    writers.write(call("CN=a from 192.0.2.1", true), PUT);
    writers.write(call("CN=a from 192.0.2.1", false), PUT);
    writers.write(call("CN=b from 192.0.2.1", true), MEMBERS);
    assertThat(lines).containsExactly("client CN=a from 192.0.2.1 writes: KV/Put");
  }

  @Test
  void manyConnectionsOfOneClientAreOneLineAMinute() {
    for (int i = 0; i < 50; i++) {
      writers.write(call("CN=a from 192.0.2.1", true), PUT);
    }
    nowNanos += Duration.ofSeconds(61).toNanos();
    writers.write(call("CN=a from 192.0.2.1", true), PUT);
    assertThat(lines).hasSize(2);
    assertThat(lines.getLast()).endsWith("(and 49 times since the last line)");
    for (int i = 0; i < 1000; i++) {
      writers.write(call("CN=a from 192.0.2." + i, true), PUT);
    }
    assertThat(lines).hasSizeLessThan(65);
    assertThat(lines.getLast()).contains("more clients write than the log names");
  }

  @ParameterizedTest
  @CsvSource({
    "KV/Put, true",
    "KV/Txn, true",
    "KV/DeleteRange, true",
    "KV/Compact, true",
    "Lease/LeaseGrant, true",
    "Lease/LeaseRevoke, true",
    "Lease/LeaseKeepAlive, false",
    "Lease/LeaseTimeToLive, false",
    "Maintenance/Status, false",
    "Cluster/MemberList, false",
  })
  void whatAWriteIs(String method, boolean isWrite) {
    assertThat(Writers.isWrite(method)).isEqualTo(isWrite);
  }
}
