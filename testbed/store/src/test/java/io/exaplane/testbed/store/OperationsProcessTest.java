// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.AlarmMember;
import io.etcd.jetcd.api.AlarmRequest;
import io.etcd.jetcd.api.AlarmType;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.ClusterGrpc;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.exaplane.testbed.machine.Await;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What those who run the store see of it: space, metrics, health, sockets, dead clients. */
class OperationsProcessTest {
  private static final int DEADLINE_MS = 120_000;

  /** A watch goes on after its client has said all, as etcd's, and is ended by this. */
  private static final Duration WATCH = Duration.ofSeconds(2);

  /** etcd has more. */
  private static final int METHODS = 30;

  @TempDir Path folder;

  private static PutRequest put(String key, int bytes) {
    return PutRequest.newBuilder()
        .setKey(ByteString.copyFromUtf8(key))
        .setValue(ByteString.copyFrom(new byte[bytes]))
        .build();
  }

  private static HttpResponse<String> get(String url) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
    }
  }

  @Test
  void aFullStoreSaysSoAndComesBackByDeletionAndCompaction() throws Exception {
    try (ServerProcess store =
        ServerProcess.store(folder.resolve("store"), "--quota-backend-bytes=1000000")) {
      KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(store.channel());
      String health = "http://%s/health".formatted(store.target());
      assertThat(get(health).body()).isEqualTo("{\"health\":\"true\",\"reason\":\"\"}");
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 1000; i++) {
                  kv.put(put("/registry/pods/" + i, 2000));
                }
              })
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessage("RESOURCE_EXHAUSTED: etcdserver: mvcc: database space exceeded");
      assertThat(get(health).statusCode()).isEqualTo(503);
      assertThat(get(health).body()).contains("ALARM NOSPACE");
      assertThat(get(health + "?exclude=NOSPACE").statusCode()).isEqualTo(200);
      assertThat(alarms(store))
          .extracting(AlarmMember::getAlarm)
          .containsExactly(AlarmType.NOSPACE);
      assertThat(
              MaintenanceGrpc.newBlockingStub(store.channel())
                  .status(StatusRequest.getDefaultInstance())
                  .getErrorsList())
          .hasSize(1);
      long revision =
          kv.deleteRange(
                  DeleteRangeRequest.newBuilder()
                      .setKey(ByteString.copyFromUtf8("/registry/"))
                      .setRangeEnd(ByteString.copyFromUtf8("/registry0"))
                      .build())
              .getHeader()
              .getRevision();
      kv.compact(CompactionRequest.newBuilder().setRevision(revision).build());
      long deadline = System.nanoTime() + Duration.ofMillis(DEADLINE_MS).toNanos();
      while (get(health).statusCode() != 200 && System.nanoTime() < deadline) {
        LockSupport.parkNanos(10_000_000);
      }
      long next = kv.put(put("/registry/pods/new", 2000)).getHeader().getRevision();
      assertThat(next).as("after a revision without a change").isEqualTo(revision + 2);
      assertThat(get(health).statusCode()).isEqualTo(200);
      assertThat(alarms(store)).as("for who looks now and then").hasSize(1);
      MaintenanceGrpc.newBlockingStub(store.channel())
          .alarm(AlarmRequest.newBuilder().setAction(AlarmRequest.AlarmAction.DEACTIVATE).build());
      assertThat(alarms(store)).isEmpty();
    }
  }

  private static java.util.List<AlarmMember> alarms(ServerProcess store) {
    return MaintenanceGrpc.newBlockingStub(store.channel())
        .alarm(AlarmRequest.getDefaultInstance())
        .getAlarmsList();
  }

  @Test
  void metricsHaveTheNamesThatDashboardsAskFor() throws Exception {
    try (ServerProcess store =
        ServerProcess.store(
            folder.resolve("store"), "--prefix-quota-bytes=/registry/events/=1000000")) {
      KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(store.channel());
      for (int i = 0; i < 10; i++) {
        kv.put(put("/registry/pods/ns/" + i, 100));
      }
      String metrics = "http://%s/metrics".formatted(store.target());
      // A request is counted behind its answer.
      Await.until(
          Duration.ofMillis(DEADLINE_MS),
          "ten Puts are counted",
          () -> get(metrics).body().contains("grpc_type=\"unary\"} 10.0"),
          () -> get(metrics).body());
      HttpResponse<String> page = get(metrics);
      assertThat(page.headers().firstValue("content-type"))
          .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain; version=0.0.4"));
      assertThat(page.body())
          .contains(
              "exaplane_store_kind_keys{kind=\"pods\",prefix=\"\"} 10.0",
              "exaplane_store_kind_live_bytes{kind=\"pods\",prefix=\"\"} ",
              "exaplane_store_live_bytes ",
              "exaplane_store_reserve_bytes ",
              "exaplane_store_reserve_used_bytes 0.0",
              "exaplane_store_self_compactions_total 0.0",
              "exaplane_store_kind_puts_total{kind=\"pods\",prefix=\"\"} 10.0",
              "exaplane_store_kind_history_start_revision{kind=\"pods\",prefix=\"\"} 0.0",
              "exaplane_store_prefix_bytes{prefix=\"/registry/events/\"} 0.0",
              "exaplane_store_prefix_quota_bytes{prefix=\"/registry/events/\"} 1000000.0",
              "exaplane_store_revision 11.0",
              "etcd_server_has_leader 1.0",
              "etcd_server_leader_changes_seen_total 0.0",
              "etcd_mvcc_db_total_size_in_bytes ",
              "etcd_mvcc_db_total_size_in_use_in_bytes ",
              "etcd_server_quota_backend_bytes ",
              "etcd_disk_wal_fsync_duration_seconds_bucket{le=",
              "etcd_disk_backend_commit_duration_seconds_bucket{le=",
              "etcd_debugging_mvcc_keys_total 10.0",
              "etcd_debugging_mvcc_slow_watcher_total 0.0",
              "etcd_network_client_grpc_received_bytes_total ",
              "process_resident_memory_bytes ",
              "process_open_fds ",
              "process_max_fds ",
              "jvm_memory_used_bytes{")
          .containsPattern(
              "grpc_server_handled_total\\{grpc_code=\"OK\",grpc_method=\"Put\","
                  + "grpc_service=\"etcdserverpb.KV\",grpc_type=\"unary\"} 10.0");
    }
  }

  @Test
  void whoTakesTheSpaceIsToldByKindAndNamespace() throws Exception {
    try (ServerProcess store = ServerProcess.store(folder.resolve("store"))) {
      KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(store.channel());
      for (int i = 0; i < 10; i++) {
        kv.put(put("/registry/pods/ns/" + i, 100));
        kv.put(put("/registry/configmaps/default/" + i % 2, 10_000));
      }
      HttpResponse<String> page = get("http://%s/usage?top=1".formatted(store.target()));
      assertThat(page.headers().firstValue("content-type")).hasValue("application/json");
      assertThat(page.body())
          .contains(
              "\"keys\":12,",
              "\"kind\":\"configmaps\",\"namespace\":\"default\","
                  + "\"prefix\":\"/registry/configmaps/default/\",\"keys\":2,\"bytes\":20")
          .doesNotContain("pods");
    }
  }

  @Test
  void listensOnASocketOfTheFileSystem() throws Exception {
    Path socket = folder.resolve("store.sock");
    try (ServerProcess store =
        ServerProcess.store(folder.resolve("store"), "--listen-client-urls=unix://" + socket)) {
      String endpoint = "--endpoints=unix://" + socket;
      assertThat(ServerProcess.run("etcdctl", endpoint, "put", "k", "v")).contains("OK");
      store.kill();
      store.start();
      assertThat(ServerProcess.run("etcdctl", endpoint, "put", "k", "v")).contains("OK");
    }
  }

  @Test
  void aClientThatIsGoneWithoutAWordIsLetGoAndAnIdleWatchStays() throws Exception {
    try (ServerProcess store =
            ServerProcess.store(
                folder.resolve("store"),
                "--grpc-keepalive-interval=500ms",
                "--grpc-keepalive-timeout=5s");
        WatchProbe idle =
            new WatchProbe(
                store.channel(),
                WatchCreateRequest.newBuilder().setKey(ByteString.copyFromUtf8("/k")));
        Socket dead = new Socket("127.0.0.1", store.port())) {
      dead.setSoTimeout(DEADLINE_MS);
      dead.getOutputStream()
          .write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(US_ASCII));
      InputStream in = dead.getInputStream();
      while (in.read() >= 0) {
        // settings, pings, and then the end
      }
      KVGrpc.newBlockingStub(store.channel()).put(put("/k", 1));
      assertThat(idle.next().getEventsCount()).isOne();
    }
  }

  @Test
  void historyIsCompactedWithoutBeingAsked() throws Exception {
    try (ServerProcess store =
        ServerProcess.store(folder.resolve("store"), "--auto-compaction-retention=1s")) {
      KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(store.channel());
      long old = kv.put(put("/registry/pods/a", 1)).getHeader().getRevision();
      RangeRequest then =
          RangeRequest.newBuilder()
              .setKey(ByteString.copyFromUtf8("/registry/pods/a"))
              .setRevision(old)
              .build();
      assertThat(kv.range(then).getCount()).isEqualTo(1);
      assertThatThrownBy(
              () -> {
                long deadline = System.nanoTime() + Duration.ofMillis(DEADLINE_MS).toNanos();
                while (System.nanoTime() < deadline) {
                  kv.put(put("/registry/pods/a", 1));
                  kv.range(then);
                }
              })
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessageContaining("required revision has been compacted");
    }
  }

  @Test
  void everyMethodOfEtcdAnswersOrSaysWhyNot() throws Exception {
    List<ServiceDescriptor> services =
        List.of(
            KVGrpc.getServiceDescriptor(),
            WatchGrpc.getServiceDescriptor(),
            LeaseGrpc.getServiceDescriptor(),
            ClusterGrpc.getServiceDescriptor(),
            MaintenanceGrpc.getServiceDescriptor(),
            AuthGrpc.getServiceDescriptor());
    Map<String, CompletableFuture<Status>> outcomes = new HashMap<>();
    for (ServiceDescriptor service : services) {
      for (MethodDescriptor<?, ?> method : service.getMethods()) {
        if (method.getFullMethodName().equals("etcdserverpb.Watch/Progress")) {
          continue; // jetcd's own idea: etcd has no such method
        }
        outcomes.put(method.getFullMethodName(), outcome(ServerProcess.shared(), method));
      }
    }
    assertThat(outcomes).hasSizeGreaterThan(METHODS);
    for (var each : outcomes.entrySet()) {
      assertThat(each.getValue().get().toString())
          .as(each.getKey())
          .doesNotContain("unknown method");
    }
  }

  /** Sends a method's empty request and returns how the call will have ended. */
  private static <Q, A> CompletableFuture<Status> outcome(
      ServerProcess store, MethodDescriptor<Q, A> method) {
    var marshaller = (MethodDescriptor.PrototypeMarshaller<Q>) method.getRequestMarshaller();
    CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(WATCH);
    ClientCall<Q, A> call = store.channel().newCall(method, options);
    CompletableFuture<Status> ended = new CompletableFuture<>();
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            ended.complete(status);
          }
        },
        new Metadata());
    call.request(Integer.MAX_VALUE);
    call.sendMessage(marshaller.getMessagePrototype());
    call.halfClose();
    return ended;
  }
}
