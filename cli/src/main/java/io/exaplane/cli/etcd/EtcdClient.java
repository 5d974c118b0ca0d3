// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.etcd;

import io.exaplane.cli.etcd.EtcdMessages.Deleted;
import io.exaplane.cli.etcd.EtcdMessages.KeyPage;
import io.grpc.CallOptions;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.MethodDescriptor;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** One store, by etcd's protocol: one member of it that answers, and the others' addresses. */
public final class EtcdClient implements AutoCloseable {
  /** Who reads a command's output does not want the library's; kept, or the level is forgotten. */
  private static final Logger LIBRARY = Logger.getLogger("io.grpc");

  static {
    LIBRARY.setLevel(Level.SEVERE);
  }

  private static final int ANSWER_SECONDS = 30;
  private static final int FIRST_ANSWER_SECONDS = 5;

  /** A compaction that is waited for, or a file that is written anew. */
  private static final int LONG_SECONDS = 1800;

  /** Keys are long at most as requests may be; those of a page are short, all together. */
  private static final int MOST_ANSWER_BYTES = 256 << 20;

  private static final MethodDescriptor.Marshaller<byte[]> AS_IT_IS =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] message) {
          return new ByteArrayInputStream(message);
        }

        @Override
        public byte[] parse(InputStream in) {
          try {
            return in.readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  private final URI endpoint;
  private final List<URI> members;
  private final Credentials credentials;
  private final ManagedChannel channel;

  private EtcdClient(
      URI endpoint, List<URI> members, Credentials credentials, ManagedChannel channel) {
    this.endpoint = endpoint;
    this.members = members;
    this.credentials = credentials;
    this.channel = channel;
  }

  /**
   * Connects to the first member that answers.
   *
   * @param endpoints URLs, http or https
   * @throws StoreFailure if none does, with what each says
   */
  public static EtcdClient connect(List<URI> endpoints, Credentials credentials) {
    List<String> failures = new ArrayList<>();
    for (URI endpoint : endpoints) {
      ManagedChannel channel = channel(endpoint, credentials);
      EtcdClient client = new EtcdClient(endpoint, List.copyOf(endpoints), credentials, channel);
      try {
        client.call("Maintenance/Status", new byte[0], FIRST_ANSWER_SECONDS);
        return client;
      } catch (StoreFailure e) {
        failures.add(e.getMessage());
        client.close();
      }
    }
    throw new StoreFailure(
        String.join("; ", failures)
            + "; check --endpoints, --cacert, --cert and --key, and that the store runs");
  }

  private static ManagedChannel channel(URI endpoint, Credentials credentials) {
    return builder(endpoint, credentials).maxInboundMessageSize(MOST_ANSWER_BYTES).build();
  }

  private static ManagedChannelBuilder<?> builder(URI endpoint, Credentials credentials) {
    boolean isTls = endpoint.getScheme().equals("https");
    ChannelCredentials how = isTls ? credentials.forGrpc() : InsecureChannelCredentials.create();
    return Grpc.newChannelBuilderForAddress(endpoint.getHost(), endpoint.getPort(), how);
  }

  /** A method whose messages stay as they are, as {@code etcdserverpb.KV/Range}. */
  public static MethodDescriptor<byte[], byte[]> method(
      String name, MethodDescriptor.MethodType type) {
    return MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(type)
        .setFullMethodName(name)
        .setRequestMarshaller(AS_IT_IS)
        .setResponseMarshaller(AS_IT_IS)
        .build();
  }

  /** Another connection to the member that answers, for messages of any size; the caller's own. */
  public ManagedChannel forwarding() {
    return builder(endpoint, credentials)
        .directExecutor()
        .maxInboundMessageSize(Integer.MAX_VALUE)
        .build();
  }

  /** That of the member that answers. */
  public URI endpoint() {
    return endpoint;
  }

  public List<URI> members() {
    return members;
  }

  Credentials credentials() {
    return credentials;
  }

  public StoreStatus status() {
    return EtcdMessages.status(call("Maintenance/Status", new byte[0], ANSWER_SECONDS));
  }

  /** The first keys of a range, without values. */
  KeyPage keys(KeyRange range, int limit) {
    return EtcdMessages.keyPage(call("KV/Range", EtcdMessages.keys(range, limit), ANSWER_SECONDS));
  }

  /** Bytes of one key and its value, which is read for that. */
  long size(byte[] key) {
    return EtcdMessages.size(call("KV/Range", EtcdMessages.get(key), ANSWER_SECONDS));
  }

  Deleted delete(KeyRange range) {
    return EtcdMessages.deleted(call("KV/DeleteRange", EtcdMessages.delete(range), ANSWER_SECONDS));
  }

  /** Frees what was replaced or deleted at or before a revision; done when this returns. */
  public void compact(long revision) {
    try {
      call("KV/Compact", EtcdMessages.compact(revision), LONG_SECONDS);
    } catch (StoreFailure e) {
      if (!e.getMessage().contains("has been compacted")) {
        throw e;
      }
      // Somebody went further meanwhile.
    }
  }

  /** Members that refuse writes for want of space. */
  public List<Long> membersWithoutSpace() {
    return EtcdMessages.membersWithoutSpace(
        call("Maintenance/Alarm", EtcdMessages.alarms(), ANSWER_SECONDS));
  }

  void endAlarm(long member) {
    call("Maintenance/Alarm", EtcdMessages.endAlarm(member), ANSWER_SECONDS);
  }

  /** Gives what a member's file has free back to the disk; the member serves nobody meanwhile. */
  void defragment(URI member) {
    if (member.equals(endpoint)) {
      call("Maintenance/Defragment", new byte[0], LONG_SECONDS);
      return;
    }
    try (EtcdClient other =
        new EtcdClient(member, members, credentials, channel(member, credentials))) {
      other.call("Maintenance/Defragment", new byte[0], LONG_SECONDS);
    }
  }

  private byte[] call(String method, byte[] request, int seconds) {
    MethodDescriptor<byte[], byte[]> descriptor =
        method("etcdserverpb." + method, MethodDescriptor.MethodType.UNARY);
    try {
      return ClientCalls.blockingUnaryCall(
          channel,
          descriptor,
          CallOptions.DEFAULT.withDeadlineAfter(seconds, TimeUnit.SECONDS),
          request);
    } catch (StatusRuntimeException e) {
      throw new StoreFailure("%s: %s: %s".formatted(endpoint, method, why(e, seconds)));
    }
  }

  private static String why(StatusRuntimeException e, int seconds) {
    if (e.getStatus().getCode() == Code.DEADLINE_EXCEEDED) {
      return "no answer within %d s".formatted(seconds);
    }
    StringBuilder text = new StringBuilder();
    String said = e.getStatus().getDescription();
    text.append(said == null ? e.getStatus().getCode().toString() : said.lines().findFirst().get());
    for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
      String more = cause.getMessage();
      if (more != null && text.indexOf(more) < 0) {
        text.append(": ").append(more);
      }
    }
    return text.toString();
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
