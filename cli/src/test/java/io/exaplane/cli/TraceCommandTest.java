// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.cli.etcd.Credentials;
import io.exaplane.cli.etcd.EtcdClient;
import io.exaplane.cli.trace.TraceProxy;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.HandlerRegistry;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The proxy before a server that answers as the test says. */
@Timeout(300)
class TraceCommandTest {
  private static final int DEADLINE_S = 60;
  private static final int LARGE_BYTES = 20 << 20;
  private static final int SLOW_ANSWERS = 3;
  private static final Metadata.Key<String> SOURCE =
      Metadata.Key.of("source", Metadata.ASCII_STRING_MARSHALLER);

  /** What the server got: messages, and what ended a call. */
  private final BlockingQueue<String> got = new LinkedBlockingQueue<>();

  private Server server;
  private URI endpoint;

  private static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  @BeforeEach
  void start() throws IOException {
    HandlerRegistry all =
        new HandlerRegistry() {
          @Override
          public ServerMethodDefinition<?, ?> lookupMethod(String name, String authority) {
            return ServerMethodDefinition.create(
                EtcdClient.method(name, MethodType.BIDI_STREAMING),
                (call, headers) -> answer(call, headers));
          }
        };
    server = NettyServerBuilder.forAddress(loopback(0)).fallbackHandlerRegistry(all).build();
    server.start();
    endpoint = URI.create("http://127.0.0.1:" + server.getPort());
  }

  @AfterEach
  void stop() throws InterruptedException {
    server.shutdownNow().awaitTermination(DEADLINE_S, TimeUnit.SECONDS);
  }

  private ServerCall.Listener<byte[]> answer(ServerCall<byte[], byte[]> call, Metadata headers) {
    String method = call.getMethodDescriptor().getFullMethodName();
    call.request(1_000);
    if (headers.containsKey(SOURCE)) {
      got.add("source " + headers.get(SOURCE));
    }
    return new ServerCall.Listener<>() {
      private boolean isAnswered;

      @Override
      public void onMessage(byte[] message) {
        got.add("message of " + message.length);
        if (method.endsWith("Refused")) {
          Metadata trailers = new Metadata();
          trailers.put(SOURCE, "trailers");
          isAnswered = true;
          call.close(Status.RESOURCE_EXHAUSTED.withDescription("etcdserver: no space"), trailers);
          return;
        }
        if (!isAnswered) {
          call.sendHeaders(new Metadata());
          isAnswered = true;
        }
        call.sendMessage(method.endsWith("Range") ? new byte[LARGE_BYTES] : message);
      }

      @Override
      public void onHalfClose() {
        if (!method.endsWith("Refused")) {
          if (!isAnswered) {
            call.sendHeaders(new Metadata());
          }
          call.close(Status.OK, new Metadata());
        }
      }

      @Override
      public void onCancel() {
        got.add("cancelled");
      }
    };
  }

  /** What a client got. */
  private static final class Answers extends ClientCall.Listener<byte[]> {
    final BlockingQueue<byte[]> messages = new LinkedBlockingQueue<>();
    final BlockingQueue<Status> status = new LinkedBlockingQueue<>();
    volatile Metadata trailers;

    @Override
    public void onMessage(byte[] message) {
      messages.add(message);
    }

    @Override
    public void onClose(Status closed, Metadata with) {
      trailers = with;
      status.add(closed);
    }
  }

  private static ClientCall<byte[], byte[]> call(
      ManagedChannel channel, String method, Answers answers, Metadata headers) {
    ClientCall<byte[], byte[]> call =
        channel.newCall(
            EtcdClient.method("etcdserverpb." + method, MethodType.BIDI_STREAMING),
            CallOptions.DEFAULT);
    call.start(answers, headers);
    call.request(1_000);
    return call;
  }

  private void withProxy(Use use) throws Exception {
    try (EtcdClient store = EtcdClient.connect(List.of(endpoint), Credentials.NONE);
        TraceProxy proxy = TraceProxy.start(loopback(0), Optional.empty(), store, "/registry/")) {
      ManagedChannel channel =
          NettyChannelBuilder.forAddress("127.0.0.1", proxy.port())
              .usePlaintext()
              .maxInboundMessageSize(Integer.MAX_VALUE)
              .build();
      got.clear();
      try {
        use.of(proxy, channel);
      } finally {
        channel.shutdownNow();
      }
    }
  }

  private interface Use {
    void of(TraceProxy proxy, ManagedChannel channel) throws Exception;
  }

  private static <T> T poll(BlockingQueue<T> queue) throws InterruptedException {
    T next = queue.poll(DEADLINE_S, TimeUnit.SECONDS);
    assertThat(next).as("an answer within %d s", DEADLINE_S).isNotNull();
    return next;
  }

  @Test
  void aLargeAnswerAndMetadataGoThrough() throws Exception {
    withProxy(
        (proxy, channel) -> {
          Answers answers = new Answers();
          Metadata headers = new Metadata();
          headers.put(SOURCE, "cache");
          ClientCall<byte[], byte[]> call = call(channel, "KV/Range", answers, headers);
          call.sendMessage(new byte[0]);
          call.halfClose();
          assertThat(poll(answers.status).isOk()).isTrue();
          assertThat(poll(answers.messages)).hasSize(LARGE_BYTES);
          assertThat(poll(got)).isEqualTo("source cache");
          assertThat(proxy.trace().rows().getFirst().answerBytes()).isEqualTo(LARGE_BYTES);
          assertThat(proxy.trace().connections()).isEqualTo(1);
        });
  }

  @Test
  void aRefusalHasItsStatusWordsAndTrailers() throws Exception {
    withProxy(
        (proxy, channel) -> {
          Answers answers = new Answers();
          ClientCall<byte[], byte[]> call = call(channel, "KV/Refused", answers, new Metadata());
          call.sendMessage(new byte[] {1});
          Status status = poll(answers.status);
          assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
          assertThat(status.getDescription()).isEqualTo("etcdserver: no space");
          assertThat(answers.trailers.get(SOURCE)).isEqualTo("trailers");
          assertThat(proxy.trace().rows().getFirst().failed()).isEqualTo(1);
        });
  }

  /** A watch goes on while both sides talk, and ends at the store when the client leaves. */
  @Test
  void aStreamGoesBothWaysUntilTheClientLeaves() throws Exception {
    withProxy(
        (_, channel) -> {
          Answers answers = new Answers();
          ClientCall<byte[], byte[]> call = call(channel, "Watch/Watch", answers, new Metadata());
          for (int i = 1; i <= 50; i++) {
            call.sendMessage(new byte[i]);
            assertThat(poll(answers.messages)).hasSize(i);
          }
          call.cancel("enough", null);
          List<String> last = new ArrayList<>();
          while (!last.contains("cancelled")) {
            last.add(poll(got));
          }
        });
  }

  /** Answers wait at the store while a client takes nothing, and come in their order then. */
  @Test
  void aSlowClientGetsAllInTheEnd() throws Exception {
    withProxy(
        (_, channel) -> {
          Answers answers = new Answers();
          ClientCall<byte[], byte[]> call =
              channel.newCall(
                  EtcdClient.method("etcdserverpb.KV/Range", MethodType.BIDI_STREAMING),
                  CallOptions.DEFAULT);
          call.start(answers, new Metadata());
          for (int i = 0; i < SLOW_ANSWERS; i++) {
            call.sendMessage(new byte[] {8, 1});
          }
          for (int i = 0; i < SLOW_ANSWERS; i++) {
            assertThat(poll(got)).isEqualTo("message of 2");
          }
          assertThat(answers.messages).isEmpty();
          call.request(SLOW_ANSWERS);
          call.halfClose();
          for (int i = 0; i < SLOW_ANSWERS; i++) {
            assertThat(poll(answers.messages)).hasSize(LARGE_BYTES);
          }
          assertThat(poll(answers.status).isOk()).isTrue();
        });
  }

  private record Said(int code, String out, String err) {}

  private static Said run(String... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Exactl.run(new PrintWriter(out, true), new PrintWriter(err, true), words);
    return new Said(code, out.toString(), err.toString());
  }

  @Test
  void theCommandSaysWhereItListensAndThatNobodyAsked() {
    Said said = run("trace", "--endpoints=" + endpoint, "--listen=127.0.0.1:0", "--duration=1s");
    assertThat(said.code()).as("%s", said).isZero();
    assertThat(said.err())
        .contains("forwards to " + endpoint)
        .containsPattern("--etcd-servers=http://127\\.0\\.0\\.1:\\d+\\.");
    assertThat(said.out()).contains("No client asked anything.");
  }

  @Test
  void anAnswerForMachinesHasAllFields() {
    Said said =
        run(
            "trace",
            "--endpoints=" + endpoint,
            "--listen=[::1]:0",
            "--duration=1s",
            "--output=json");
    assertThat(said.code()).as("%s", said).isZero();
    assertThat(said.err()).contains("--etcd-servers=http://[0:0:0:0:0:0:0:1]:");
    assertThat(said.out())
        .contains("\"endpoint\"", "\"seconds\"", "\"connections\"", "\"openWatches\"", "\"rows\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--listen=0.0.0.0:0      | needs --listen-cert, --listen-key and --listen-cacert",
        "--listen=[::]:0         | needs --listen-cert, --listen-key and --listen-cacert",
        "--listen=12379          | must be an address of this machine and a port",
        "--listen=127.0.0.1:99999 | must be an address of this machine and a port",
        "--listen-cert=x         | --listen-key belong together",
        "--duration=soon         | must be a duration above 0",
        "--duration=0s           | must be a duration above 0",
      })
  void aWrongOptionIsToldWithItsRule(String option, String rule) {
    Said said = run("trace", "--endpoints=" + endpoint, option);
    assertThat(said.code()).as("%s", said).isEqualTo(2);
    assertThat(said.err()).contains(rule);
  }

  @Test
  void aPortThatIsTakenIsSaid() {
    Said said = run("trace", "--endpoints=" + endpoint, "--listen=127.0.0.1:" + server.getPort());
    assertThat(said.code()).as("%s", said).isEqualTo(1);
    assertThat(said.err())
        .contains("--listen: '127.0.0.1:" + server.getPort() + "' cannot be listened on");
  }
}
