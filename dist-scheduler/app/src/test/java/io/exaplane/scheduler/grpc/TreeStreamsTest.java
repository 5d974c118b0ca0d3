// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.relay.Hub;
import io.exaplane.scheduler.tree.Change;
import io.exaplane.scheduler.tree.Down;
import io.exaplane.scheduler.tree.Packed;
import io.exaplane.scheduler.tree.Up;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams between processes, with and without certificates. */
class TreeStreamsTest {
  private static final Down.Rules RULES = new Down.Rules("1.36", "a: b", 7);
  private static final long TOKEN = -5;

  @TempDir private Path folder;

  private final BlockingQueue<Up> above = new LinkedBlockingQueue<>();
  private final Hub hub = new Hub(above::add);
  private final List<Runnable> ends = new ArrayList<>();

  /** What came down to a child that says Hello. */
  private static final class Child implements ParentLink.Child {
    private final Consumer<Up> up;
    private final BlockingQueue<Down> got;
    private volatile long epoch;

    Child(Consumer<Up> up, BlockingQueue<Down> got) {
      this.up = up;
      this.got = got;
    }

    @Override
    public void introduce() {
      up.accept(new Up.Hello(TOKEN, Up.Kind.SHARD, "s", "m", List.of("r")));
    }

    @Override
    public String down(Down message) {
      got.add(message);
      epoch = message instanceof Down.Welcome welcome ? welcome.epoch() : epoch;
      return message instanceof Down.Drop drop ? drop.why() : null;
    }

    @Override
    public long epoch() {
      return epoch;
    }

    @Override
    public void ended() {}
  }

  @AfterEach
  void end() {
    ends.forEach(Runnable::run);
  }

  private TreeAddress serve(String host, TreeTls tls, boolean takes) throws IOException {
    TreeAddress address = new TreeAddress(host, freePort());
    TreeServer server = new TreeServer(address, tls, () -> takes ? hub : null);
    ends.add(server::close);
    return address;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private BlockingQueue<Down> child(TreeTls tls, TreeAddress... parents) {
    BlockingQueue<Down> got = new LinkedBlockingQueue<>();
    ParentLink link = new ParentLink(List.of(parents), tls, up -> new Child(up, got));
    Thread thread = Thread.ofPlatform().start(link);
    ends.add(
        () -> {
          link.stop();
          thread.interrupt();
        });
    return got;
  }

  private Up next() throws InterruptedException {
    return above.poll(30, TimeUnit.SECONDS);
  }

  private static Down next(BlockingQueue<Down> got) throws InterruptedException {
    return got.poll(30, TimeUnit.SECONDS);
  }

  @Test
  void whatIsSaidArrivesAsItWas() throws Exception {
    BlockingQueue<Down> got = child(TreeTls.none(), serve("::1", TreeTls.none(), true));
    assertThat(next()).isEqualTo(new Up.Hello(TOKEN, Up.Kind.SHARD, "s", "m", List.of("r")));
    List<Down> all =
        List.of(
            new Down.Welcome(TOKEN, 3, 9, RULES),
            new Down.Changes(
                3, Packed.of(List.of(new Change.Count(5, 6, -2), new Change.NodeGone(4)))),
            new Down.Ask(11, 6, 64),
            new Down.Ping(12));
    for (Down message : all) {
      hub.down(message);
      assertThat(next(got)).isEqualTo(message);
    }
    hub.down(new Down.Drop(3, "because"));
    assertThat(next(got)).isEqualTo(new Down.Drop(3, "because"));
    assertThat(next()).as("what it was asked is given up").isInstanceOf(Up.Answer.class);
    assertThat(next()).as("it comes again").isInstanceOf(Up.Hello.class);
  }

  /** As large as the root makes them, with room to spare. */
  @Test
  void aLargeMessageArrives() throws Exception {
    BlockingQueue<Down> got = child(TreeTls.none(), serve("127.0.0.1", TreeTls.none(), true));
    next();
    hub.down(new Down.Welcome(TOKEN, 3, 9, RULES));
    next(got);
    Change large = new Change.WorkloadGone("k", "x".repeat(20 << 20), "n");
    hub.down(new Down.Changes(3, Packed.of(List.of(large))));
    assertThat(next(got)).isEqualTo(new Down.Changes(3, Packed.of(List.of(large))));
  }

  /** While a pool goes from one version to the next, its processes have both. */
  @Test
  void whoSpeaksTheProtocolBeforeIsRefusedInWords() throws Exception {
    TreeAddress address = serve("127.0.0.1", TreeTls.none(), true);
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(address.host(), address.port()).usePlaintext().build();
    ends.add(channel::shutdownNow);
    CompletableFuture<Status> end = new CompletableFuture<>();
    ClientCalls.asyncBidiStreamingCall(
            channel.newCall(TreeMethod.EARLIER_JOIN, CallOptions.DEFAULT),
            new StreamObserver<byte[]>() {
              @Override
              public void onNext(byte[] message) {}

              @Override
              public void onError(Throwable trouble) {
                end.complete(Status.fromThrowable(trouble));
              }

              @Override
              public void onCompleted() {
                end.complete(Status.OK);
              }
            })
        .onNext(new byte[] {1, 2, 3});
    Status refused = end.get(30, TimeUnit.SECONDS);
    assertThat(refused.getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(refused.getDescription()).contains("run all processes of the scheduler in the same");
    assertThat(above).as("what it said is not read").isEmpty();
  }

  /** A child that is ahead of its first parent goes to the next, which speaks as it does. */
  @Test
  void whoSpeaksTheProtocolBeforeIsPassedByAsAParent() throws Exception {
    TreeAddress before = new TreeAddress("127.0.0.1", freePort());
    Server earlier =
        NettyServerBuilder.forAddress(new InetSocketAddress(before.host(), before.port()))
            .build()
            .start();
    ends.add(earlier::shutdownNow);
    child(TreeTls.none(), before, serve("127.0.0.1", TreeTls.none(), true));
    assertThat(next()).isInstanceOf(Up.Hello.class);
  }

  @Test
  void whoIsNotInChargeIsPassedBy() throws Exception {
    TreeAddress nobody = new TreeAddress("127.0.0.1", freePort());
    TreeAddress standby = serve("127.0.0.1", TreeTls.none(), false);
    child(TreeTls.none(), nobody, standby, serve("127.0.0.1", TreeTls.none(), true));
    assertThat(next()).isInstanceOf(Up.Hello.class);
  }

  @Test
  void whoHasACertificateOfTheSameCaIsLetIn() throws Exception {
    Certificates one = new Certificates(folder, "one");
    BlockingQueue<Down> got = child(one.issue(one.ca()), serve("::1", one.issue(one.ca()), true));
    assertThat(next()).isInstanceOf(Up.Hello.class);
    hub.down(new Down.Welcome(TOKEN, 3, 9, RULES));
    assertThat(next(got)).isInstanceOf(Down.Welcome.class);
  }

  @Test
  void whoHasNoneOrOneOfAnotherCaIsNot() throws Exception {
    Certificates one = new Certificates(folder, "one");
    Certificates other = new Certificates(folder, "other");
    TreeAddress address = serve("127.0.0.1", one.issue(one.ca()), true);
    child(TreeTls.none(), address);
    child(other.issue(one.ca()), address);
    TreeTls good = one.issue(one.ca());
    child(good, address);
    assertThat(next()).isInstanceOf(Up.Hello.class);
    assertThat(above.poll(1, TimeUnit.SECONDS)).as("the others have said nothing").isNull();
  }
}
