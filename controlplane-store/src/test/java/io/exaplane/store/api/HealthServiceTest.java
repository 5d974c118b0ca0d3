// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.api.simulation.SimulatedCall;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.journal.SimulatedStorage;
import io.exaplane.store.wire.GrpcServices;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** grpc.health.v1 says what /readyz does: while the disk refuses or hangs, it does not serve. */
class HealthServiceTest {
  private static final byte SERVING = 1;
  private static final byte NOT_SERVING = 2;

  private final AtomicBoolean waits = new AtomicBoolean();
  private final GrpcServices<Lane> services =
      new GrpcServices<>(new GrpcServices.Limits(1 << 20, 0, 1 << 30, 1 << 30, 1 << 30, 1 << 30));
  private final List<Byte> told = new ArrayList<>();
  private StoreException failure;

  private void ask(SimulatedStore store, String method, String service) {
    ReverseWriter request = new ReverseWriter();
    byte[] name = service.getBytes(StandardCharsets.UTF_8);
    request.bytes(1, name, 0, name.length);
    services
        .method("/grpc.health.v1.Health/" + method)
        .open(
            new SimulatedCall(store.loop(0), answer -> told.add(answer[1]), e -> failure = e),
            store.lane(0))
        .message(request.array(), request.start(), request.length());
  }

  @Test
  void aStoreWhoseWritesWaitDoesNotServe() throws Exception {
    Random random = new Random(1);
    new HealthService(waits::get).register(services);
    try (SimulatedStore store =
        new SimulatedStore(
            new SimulatedStorage(random), KeyClasses.plain(), () -> 1_000_000, random)) {
      ask(store, "Check", "");
      waits.set(true);
      ask(store, "Check", "");
      assertThat(told).containsExactly(SERVING, NOT_SERVING);
      ask(store, "Check", "etcdserverpb.KV");
      assertThat(failure).isEqualTo(StoreException.UNKNOWN_SERVICE);

      told.clear();
      ask(store, "Watch", "");
      store.advance(5_000);
      assertThat(told).as("told once").containsExactly(NOT_SERVING);
      waits.set(false);
      store.advance(1_000);
      assertThat(told).containsExactly(NOT_SERVING, SERVING);
    }
  }
}
