// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.request.Slice;
import io.exaplane.store.wire.GrpcListener;
import io.exaplane.store.wire.GrpcServices;
import io.exaplane.store.wire.GrpcStream;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * grpc.health.v1.Health: whether the store serves, as a whole, which is the service without a name,
 * as in etcd. It does not while its disk refuses writes, or hangs, which is when {@code /readyz}
 * says so; etcd's says so while it defragments alone.
 */
final class HealthService {
  private static final int SERVING = 1;
  private static final int NOT_SERVING = 2;
  private static final int UNKNOWN = 3;
  private static final long LOOK_MS = 1_000;

  private final BooleanSupplier cannotWrite;

  /**
   * @param cannotWrite whether writes wait for a disk that refuses them or hangs
   */
  HealthService(BooleanSupplier cannotWrite) {
    this.cannotWrite = cannotWrite;
  }

  void register(GrpcServices<Lane> services) {
    services.add("/grpc.health.v1.Health/Check", Check::new);
    services.add("/grpc.health.v1.Health/Watch", Watch::new);
  }

  private int status() {
    return cannotWrite.getAsBoolean() ? NOT_SERVING : SERVING;
  }

  private static boolean isWhole(ProtoReader in) {
    Slice service = new Slice();
    for (int field = in.field(); field != 0; field = in.field()) {
      if (field == 1) {
        in.bytes(service);
      } else {
        in.skip();
      }
    }
    return service.isEmpty();
  }

  private final class Check implements GrpcListener {
    private final GrpcStream stream;
    private final Lane lane;

    Check(GrpcStream stream, Lane lane) {
      this.stream = stream;
      this.lane = lane;
    }

    @Override
    public void message(byte[] array, int offset, int length) {
      try {
        if (!isWhole(lane.proto.open(array, offset, length))) {
          throw StoreException.UNKNOWN_SERVICE;
        }
        ReverseWriter out = lane.out.clear();
        out.number(1, status());
        stream.reply(out.array(), out.start(), out.length());
      } catch (StoreException e) {
        stream.fail(e);
      }
    }
  }

  /** Tells how it is, then each time when that has changed. */
  private final class Watch implements GrpcListener {
    private final GrpcStream stream;
    private final Lane lane;
    private boolean isWhole;
    private int told = -1;
    private Future<?> looking;

    Watch(GrpcStream stream, Lane lane) {
      this.stream = stream;
      this.lane = lane;
    }

    @Override
    public void message(byte[] array, int offset, int length) {
      if (looking != null) {
        return;
      }
      try {
        isWhole = isWhole(lane.proto.open(array, offset, length));
        tell();
        looking =
            stream.loop().scheduleAtFixedRate(this::tell, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
      } catch (StoreException e) {
        stream.fail(e);
      }
    }

    private void tell() {
      int now = isWhole ? status() : UNKNOWN;
      if (now != told && stream.isWritable()) {
        told = now;
        ReverseWriter out = lane.out.clear();
        out.number(1, now);
        stream.send(out.array(), out.start(), out.length());
      }
    }

    @Override
    public void closed() {
      if (looking != null) {
        looking.cancel(false);
      }
    }
  }
}
