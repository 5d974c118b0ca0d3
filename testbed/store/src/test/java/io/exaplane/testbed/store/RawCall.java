// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;

/** Calls of any method by its name, with the bytes of the messages. */
final class RawCall {
  private static final long DEADLINE_S = 120;

  private RawCall() {}

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try (stream) {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static MethodDescriptor<byte[], byte[]> method(String name, MethodType type) {
    return MethodDescriptor.newBuilder(new Bytes(), new Bytes())
        .setType(type)
        .setFullMethodName(name)
        .build();
  }

  private static CallOptions options() {
    return CallOptions.DEFAULT.withDeadlineAfter(DEADLINE_S, TimeUnit.SECONDS);
  }

  /**
   * Sends one message and returns the answer.
   *
   * @param name as {@code etcdserverpb.KV/Range}
   */
  static byte[] answer(Channel channel, String name, byte... request) {
    return ClientCalls.blockingUnaryCall(
        channel, method(name, MethodType.UNARY), options(), request);
  }

  /** The same with a message that is compressed. */
  static byte[] answerToCompressed(Channel channel, String name, byte... request) {
    return ClientCalls.blockingUnaryCall(
        channel, method(name, MethodType.UNARY), options().withCompression("gzip"), request);
  }

  /** Sends one message; the answers come as long as the method sends some. */
  static Iterator<byte[]> answers(Channel channel, String name, byte... request) {
    return ClientCalls.blockingServerStreamingCall(
        channel, method(name, MethodType.SERVER_STREAMING), options(), request);
  }
}
