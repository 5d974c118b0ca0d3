// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.lock.LockGrpc;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls whose client ends them before it said anything, or within a message: each is answered. */
class CallEndsProcessTest {
  private static final int DEADLINE_S = 120;

  static Stream<MethodDescriptor<?, ?>> methods() {
    return Stream.of(
            KVGrpc.getServiceDescriptor(),
            LeaseGrpc.getServiceDescriptor(),
            LockGrpc.getServiceDescriptor(),
            MaintenanceGrpc.getServiceDescriptor())
        .flatMap(service -> service.getMethods().stream());
  }

  /**
   * As etcd 3.6.8: a stream of no requests is one that went well, else a request has to come. (A
   * watch stream goes on without its client's side, also in etcd.)
   */
  @ParameterizedTest
  @MethodSource("methods")
  void withoutAMessage(MethodDescriptor<?, ?> method) throws Exception {
    Status status = end(method);
    if (method.getType().clientSendsOneMessage()) {
      assertThat(status.getCode()).as("%s", status).isEqualTo(Status.Code.UNKNOWN);
      assertThat(status.getDescription()).isEqualTo("EOF");
    } else {
      assertThat(status.getCode()).as("%s", status).isEqualTo(Status.Code.OK);
    }
  }

  private static <A, B> Status end(MethodDescriptor<A, B> method) throws Exception {
    CompletableFuture<Status> ended = new CompletableFuture<>();
    ClientCall<A, B> call = ServerProcess.shared().channel().newCall(method, CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<B>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            ended.complete(status);
          }
        },
        new Metadata());
    call.request(2);
    call.halfClose();
    return ended.get(DEADLINE_S, TimeUnit.SECONDS);
  }

  /** A page that a browser is led to can make it ask by GET, but not by POST with gRPC's type. */
  @Test
  void aCallIsMadeByPostAlone() throws Exception {
    int port = ServerProcess.shared().port();
    try (RawConnection raw = new RawConnection("127.0.0.1", port, RawConnection.PREFACE_BYTES)) {
      raw.frame(RawConnection.SETTINGS, 0, 0, new byte[0]);
      raw.headers(1, RawConnection.GET, "/etcdserverpb.KV/Range", true);
      awaitSaid(raw, "which should be POST");
    }
  }

  private static void awaitSaid(RawConnection raw, String text) throws Exception {
    StringBuilder said = new StringBuilder();
    InputStream in = raw.in();
    while (said.indexOf(text) < 0) {
      int next = in.read();
      assertThat(next).as("the connection goes on: %s", said).isNotNegative();
      said.append((char) next);
    }
  }

  @Test
  void withinAMessage() throws Exception {
    int port = ServerProcess.shared().port();
    try (RawConnection raw = new RawConnection("127.0.0.1", port, RawConnection.PREFACE_BYTES)) {
      raw.frame(RawConnection.SETTINGS, 0, 0, new byte[0]);
      raw.headers(1, "/etcdserverpb.KV/Range", false);
      raw.frame(RawConnection.DATA, RawConnection.END_STREAM, 1, new byte[] {0, 0, 0, 0, 9, 1, 2});
      awaitSaid(raw, "unexpected EOF");
    }
  }
}
