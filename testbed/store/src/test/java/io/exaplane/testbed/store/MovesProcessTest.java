// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.Channel;
import io.grpc.ConnectivityState;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.io.DataInputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Kind that leaves a store: what etcd's clients see of it, and what a restart keeps. */
class MovesProcessTest {
  private static final String PREFIX = "/registry/pods/";
  private static final String END = "/registry/pods0";
  private static final String TEXT = "there is no address available";
  private static final int DEADLINE_S = 120;
  private static final int GO_AWAY = 7;

  @TempDir Path folder;
  private ServerProcess store;
  private String frozenAt;

  @BeforeEach
  void start() throws Exception {
    store = ServerProcess.store(folder.resolve("store"));
  }

  @AfterEach
  void stop() {
    store.close();
  }

  private static ByteString bytes(String text) {
    return ByteString.copyFromUtf8(text);
  }

  private KVGrpc.KVBlockingStub kv() {
    return KVGrpc.newBlockingStub(store.channel()).withDeadlineAfter(DEADLINE_S, TimeUnit.SECONDS);
  }

  private long put(String key) {
    return kv().put(PutRequest.newBuilder().setKey(bytes(key)).setValue(bytes("v")).build())
        .getHeader()
        .getRevision();
  }

  private long count(String key, String end) {
    return kv().range(RangeRequest.newBuilder().setKey(bytes(key)).setRangeEnd(bytes(end)).build())
        .getCount();
  }

  private HttpResponse<String> post(String action) throws Exception {
    URI uri =
        URI.create(
            "http://%s/moves/%s?id=m1&prefix=%s%s"
                .formatted(
                    store.target(),
                    action,
                    URLEncoder.encode(PREFIX, StandardCharsets.UTF_8),
                    action.equals("leave") ? "&revision=" + frozenAt : ""));
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(uri)
              .timeout(Duration.ofSeconds(DEADLINE_S))
              .POST(BodyPublishers.noBody())
              .build(),
          BodyHandlers.ofString());
    }
  }

  private String done(String action) throws Exception {
    HttpResponse<String> answer = post(action);
    assertThat(answer.statusCode()).as("%s: %s", action, answer.body()).isEqualTo(200);
    if (action.equals("freeze")) {
      frozenAt = answer.body().replaceAll("\\D", "");
    }
    return answer.body();
  }

  private static void assertRefused(Runnable request) {
    long began = System.nanoTime();
    assertThatThrownBy(request::run)
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> {
              assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
              assertThat(e.getStatus().getDescription()).isEqualTo(TEXT);
            });
    assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(100_000_000L);
  }

  @Test
  void etcdsClientWaitsWithAWriteUntilThePauseIsOver() throws Exception {
    long before = put(PREFIX + "1");
    assertThat(done("freeze")).contains("\"revision\":" + before);
    CompletableFuture<String> waiting =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return ServerProcess.run(
                    "etcdctl", "--endpoints=" + store.target(), "put", PREFIX + "2", "late");
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    for (int i = 0; i < 15; i++) { // a second and a half
      assertRefused(() -> put(PREFIX + "3"));
    }
    assertThat(waiting).isNotDone();
    assertThat(count(PREFIX, END)).as("reads are served").isEqualTo(1);
    assertThat(put("/registry/nodes/1")).as("others are written").isEqualTo(before + 1);

    done("thaw");
    assertThat(waiting.get(DEADLINE_S, TimeUnit.SECONDS)).contains("OK");
    assertThat(count(PREFIX, END)).isEqualTo(2);
    put(PREFIX + "3");
  }

  /** A watch call with the events that it gets, and how it ends. */
  private static final class Watched implements StreamObserver<WatchResponse> {
    final BlockingQueue<WatchResponse> responses = new LinkedBlockingQueue<>();
    final CompletableFuture<Status> end = new CompletableFuture<>();

    Watched(Channel channel, String key, String end) {
      StreamObserver<WatchRequest> requests = WatchGrpc.newStub(channel).watch(this);
      requests.onNext(
          WatchRequest.newBuilder()
              .setCreateRequest(
                  WatchCreateRequest.newBuilder().setKey(bytes(key)).setRangeEnd(bytes(end)))
              .build());
    }

    @Override
    public void onNext(WatchResponse response) {
      responses.add(response);
    }

    @Override
    public void onError(Throwable error) {
      end.complete(Status.fromThrowable(error));
    }

    @Override
    public void onCompleted() {
      end.complete(Status.OK);
    }

    WatchResponse next() throws Exception {
      WatchResponse response = responses.poll(DEADLINE_S, TimeUnit.SECONDS);
      assertThat(response).as("the watch is told something within %d s", DEADLINE_S).isNotNull();
      return response;
    }

    long nextRevision() throws Exception {
      return next().getEventsList().getLast().getKv().getModRevision();
    }
  }

  @Test
  void whoWatchesHasEverythingThenIsSentElsewhere() throws Exception {
    Watched pods = new Watched(store.channel(), PREFIX, END);
    Watched all = new Watched(store.channel(), "/", "0");
    assertThat(pods.next().getCreated()).isTrue();
    assertThat(all.next().getCreated()).isTrue();
    long last = put(PREFIX + "1");
    done("freeze");
    CountDownLatch left = new CountDownLatch(1);
    store.channel().notifyWhenStateChanged(ConnectivityState.READY, left::countDown);
    done("leave");
    Status end = pods.end.get(DEADLINE_S, TimeUnit.SECONDS);
    assertThat(end.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(end.getDescription()).isEqualTo(TEXT);
    assertThat(pods.nextRevision()).isEqualTo(last);
    assertThat(left.await(DEADLINE_S, TimeUnit.SECONDS)).as("GOAWAY").isTrue();
    long other = put("/registry/nodes/1");
    assertThat(all.nextRevision()).isEqualTo(last);
    assertThat(all.nextRevision()).as("what is open goes on").isEqualTo(other);
    done("leave");

    assertRefused(() -> count(PREFIX, END));
    assertRefused(() -> put(PREFIX + "1"));
    assertThat(new Watched(store.channel(), PREFIX + "1", "\0").next().getCreated())
        .as("wider than the Kind")
        .isTrue();
    assertThat(post("thaw").statusCode()).isEqualTo(409);
    store.kill();
    store.start();
    assertRefused(() -> count(PREFIX + "1", ""));
    assertRefused(
        () ->
            kv().deleteRange(
                    DeleteRangeRequest.newBuilder()
                        .setKey(bytes("/"))
                        .setRangeEnd(bytes("0"))
                        .build()));
    assertThat(count("/", "0")).as("wider reads are served").isEqualTo(2);
  }

  /** As the gateway of etcd has them. */
  private HttpResponse<String> json(String path, String field, String key) throws Exception {
    String body =
        "{\"%s\":\"%s\"}"
            .formatted(
                field, Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8)));
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create("http://%s/v3/%s".formatted(store.target(), path)))
              .timeout(Duration.ofSeconds(DEADLINE_S))
              .POST(BodyPublishers.ofString(body))
              .build(),
          BodyHandlers.ofString());
    }
  }

  @Test
  void theGatewayAndLocksAreRefusedAlike() throws Exception {
    put(PREFIX + "1");
    done("freeze");
    assertThat(json("kv/range", "key", PREFIX + "1").body()).contains("\"count\":\"1\"");
    for (HttpResponse<String> answer :
        List.of(
            json("kv/put", "key", PREFIX + "1"),
            json("kv/deleterange", "key", PREFIX + "1"),
            json("lock/lock", "name", "/registry/pods"),
            json("lock/unlock", "key", PREFIX + "1"))) {
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
      assertThat(answer.body()).contains(TEXT);
    }
    assertThat(json("lock/lock", "name", "/locks/mine").statusCode()).isEqualTo(200);
    done("leave");
    assertThat(json("kv/range", "key", PREFIX + "1").body()).contains(TEXT);
    assertThat(count("/", "0")).as("nothing was changed but the lock").isEqualTo(2);
  }

  @Test
  void aConnectionThatAsksLaterIsToldToGo() throws Exception {
    put(PREFIX + "1");
    done("freeze");
    done("leave");
    try (RawConnection connection =
        new RawConnection("127.0.0.1", store.port(), RawConnection.PREFACE_BYTES)) {
      connection.frame(RawConnection.SETTINGS, 0, 0, new byte[0]);
      connection.headers(1, "/etcdserverpb.KV/Range", false);
      byte[] request = RangeRequest.newBuilder().setKey(bytes(PREFIX + "1")).build().toByteArray();
      byte[] message = new byte[5 + request.length];
      message[4] = (byte) request.length;
      System.arraycopy(request, 0, message, 5, request.length);
      connection.frame(RawConnection.DATA, RawConnection.END_STREAM, 1, message);
      DataInputStream in = new DataInputStream(connection.in());
      boolean isRefused = false;
      int type = -1;
      while (type != GO_AWAY) {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        in.readNBytes(length);
        isRefused |= stream == 1 && (flags & RawConnection.END_STREAM) != 0;
      }
      assertThat(isRefused).as("the refusal comes first").isTrue();
      assertThat(in.readAllBytes()).as("then it closes").isNotNull();
    }
  }
}
