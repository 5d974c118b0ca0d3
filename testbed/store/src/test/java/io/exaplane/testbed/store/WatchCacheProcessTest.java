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
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
    List<Event> events = new ArrayList<>();
    try (WatchProbe watch =
        new WatchProbe(
            ClientInterceptors.intercept(
                store.channel(), MetadataUtils.newAttachHeadersInterceptor(metadata)),
            WatchCreateRequest.newBuilder().setKey(KEY).setStartRevision(first).setPrevKv(true))) {
      while (events.size() < 3) {
        events.addAll(watch.next().getEventsList());
      }
    }
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
    List<Event> events = events(ServerProcess.shared(), "cache");
    assertThat(events.get(1).getPrevKv().getValue()).isEqualTo(VALUE);
  }
}
