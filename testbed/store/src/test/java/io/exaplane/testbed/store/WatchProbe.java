// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.Channel;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** One watch, whose responses a test takes one by one. */
final class WatchProbe implements AutoCloseable {
  private static final int DEADLINE_S = 120;

  private final BlockingQueue<WatchResponse> responses = new LinkedBlockingQueue<>();
  private final StreamObserver<WatchRequest> requests;

  /** Begins a watch and waits until it is there. */
  WatchProbe(Channel channel, WatchCreateRequest.Builder create) throws InterruptedException {
    requests =
        WatchGrpc.newStub(channel)
            .watch(
                new StreamObserver<WatchResponse>() {
                  @Override
                  public void onNext(WatchResponse response) {
                    responses.add(response);
                  }

                  @Override
                  public void onError(Throwable error) {
                    // The test waits in vain and says so.
                  }

                  @Override
                  public void onCompleted() {
                    // Not while the client goes on.
                  }
                });
    requests.onNext(WatchRequest.newBuilder().setCreateRequest(create).build());
    if (!next().getCreated()) {
      throw new AssertionError("the watch was not created");
    }
  }

  /** The next response. */
  WatchResponse next() throws InterruptedException {
    WatchResponse response = responses.poll(DEADLINE_S, TimeUnit.SECONDS);
    if (response == null) {
      throw new AssertionError("the watch was told nothing for %d s".formatted(DEADLINE_S));
    }
    return response;
  }

  @Override
  public void close() {
    requests.onCompleted();
  }
}
