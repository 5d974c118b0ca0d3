// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import com.google.protobuf.MessageLite;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A call of any method whose answers are read, or not, and looked at by nobody. A watch ends a
 * moment after its last answer.
 */
final class DiscardingCall extends ClientCall.Listener<Long> {
  private static final long DEADLINE_S = 600;
  private static final long QUIET_MS = 1_000;

  private final ManagedChannel channel;
  private final ClientCall<byte[], Long> call;
  private final String method;
  private final boolean reads;
  private final boolean isWatch;
  private final CompletableFuture<Status> status = new CompletableFuture<>();
  private volatile long lastNanos = System.nanoTime();
  private volatile long bytes;

  DiscardingCall(ManagedChannel channel, String method, MessageLite request, boolean reads) {
    this.channel = channel;
    this.method = method;
    this.reads = reads;
    this.isWatch = method.endsWith("/Watch");
    call = channel.newCall(descriptor(method), CallOptions.DEFAULT);
    call.start(this, new Metadata());
    if (reads) {
      call.request(2);
    }
    call.sendMessage(request.toByteArray());
    if (!isWatch) {
      call.halfClose();
    }
  }

  private static MethodDescriptor<byte[], Long> descriptor(String method) {
    return MethodDescriptor.<byte[], Long>newBuilder()
        .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
        .setFullMethodName(method)
        .setRequestMarshaller(
            new MethodDescriptor.Marshaller<>() {
              @Override
              public InputStream stream(byte[] message) {
                return new ByteArrayInputStream(message);
              }

              @Override
              public byte[] parse(InputStream stream) {
                throw new UnsupportedOperationException();
              }
            })
        .setResponseMarshaller(
            new MethodDescriptor.Marshaller<>() {
              @Override
              public InputStream stream(Long message) {
                throw new UnsupportedOperationException();
              }

              @Override
              public Long parse(InputStream stream) {
                try {
                  return stream.transferTo(OutputStream.nullOutputStream());
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
            })
        .build();
  }

  @Override
  public void onMessage(Long messageBytes) {
    bytes += messageBytes;
    lastNanos = System.nanoTime();
    if (reads) {
      call.request(1);
    }
  }

  @Override
  public void onClose(Status closed, Metadata trailers) {
    status.complete(closed);
  }

  String method() {
    return method;
  }

  void cancel() {
    call.cancel("enough", null);
  }

  /** Ends it and the connection, which was its own. */
  void leave() {
    cancel();
    channel.shutdownNow();
  }

  /** Waits for the end and says what it was; of a watch that is OK when nothing comes any more. */
  Status await() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
    while (System.nanoTime() < deadline) {
      try {
        return status.get(QUIET_MS / 4, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        boolean isQuiet = System.nanoTime() - lastNanos > TimeUnit.MILLISECONDS.toNanos(QUIET_MS);
        if (isWatch && isQuiet) {
          cancel();
          return Status.OK;
        }
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
    cancel();
    return Status.DEADLINE_EXCEEDED;
  }

  @Override
  public String toString() {
    return "%s, %d bytes read".formatted(method, bytes);
  }
}
