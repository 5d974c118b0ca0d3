// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kube-apiserver's watch caches may be spared the values of versions before; others never. */
class WatchCacheProcessTest {
  private static final ByteString KEY = ByteString.copyFromUtf8("/registry/pods/a");
  private static final ByteString VALUE = ByteString.copyFromUtf8("value");
  private static final Metadata.Key<String> SOURCE =
      Metadata.Key.of("source", Metadata.ASCII_STRING_MARSHALLER);

  @TempDir Path folder;

  /** The events of a creation, a change and a deletion. */
  private static List<Event> events(ServerProcess store, String source) throws Exception {
    KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(store.channel());
    PutRequest put = PutRequest.newBuilder().setKey(KEY).setValue(VALUE).build();
    long first = kv.put(put).getHeader().getRevision();
    kv.put(put);
    kv.deleteRange(DeleteRangeRequest.newBuilder().setKey(KEY).build());
    Metadata metadata = new Metadata();
    metadata.put(SOURCE, source);
    BlockingQueue<Event> seen = new LinkedBlockingQueue<>();
    StreamObserver<WatchRequest> watch =
        WatchGrpc.newStub(store.channel())
            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata))
            .watch(
                new StreamObserver<WatchResponse>() {
                  @Override
                  public void onNext(WatchResponse response) {
                    seen.addAll(response.getEventsList());
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
    watch.onNext(
        WatchRequest.newBuilder()
            .setCreateRequest(
                WatchCreateRequest.newBuilder().setKey(KEY).setStartRevision(first).setPrevKv(true))
            .build());
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      events.add(seen.poll(30, TimeUnit.SECONDS));
    }
    watch.onCompleted();
    return events;
  }

  @Test
  void aCacheIsToldThatThereWasAVersionBeforeButNotItsValue() throws Exception {
    try (ServerProcess store =
        ServerProcess.store(folder.resolve("store"), "--watch-cache-elide-prev-values")) {
      List<Event> whole = events(store, "other");
      List<Event> elided = events(store, "cache");
      assertThat(whole).extracting(Event::hasPrevKv).containsExactly(false, true, true);
      assertThat(elided).extracting(Event::hasPrevKv).containsExactly(false, true, true);
      assertThat(whole.get(1).getPrevKv().getValue()).isEqualTo(VALUE);
      KeyValue created = elided.getFirst().getKv();
      assertThat(elided.get(1).getPrevKv())
          .as("a change: all but the value")
          .isEqualTo(created.toBuilder().clearValue().build());
      assertThat(elided.get(1).getKv().getValue()).isEqualTo(VALUE);
      assertThat(elided.get(2).getPrevKv().getValue()).as("a deletion: all").isEqualTo(VALUE);
    }
  }

  @Test
  void unlessAskedForItIsToldAll() throws Exception {
    try (ServerProcess store = ServerProcess.store(folder.resolve("store"))) {
      assertThat(events(store, "cache").get(1).getPrevKv().getValue()).isEqualTo(VALUE);
    }
  }
}
