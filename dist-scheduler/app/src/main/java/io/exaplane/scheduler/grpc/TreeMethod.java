// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.grpc;

import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * The one method of the tree: a child opens a stream to a parent and says Hello, and what either
 * sends arrives in the order of sending. Messages are bytes as the tree's codec writes them, in the
 * lengths that gRPC gives. The name has the protocol's version: who speaks another is refused
 * before anything is read.
 */
final class TreeMethod {
  private static final MethodDescriptor.Marshaller<byte[]> AS_THEY_ARE =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] message) {
          return new ByteArrayInputStream(message);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try {
            return stream.readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  static final MethodDescriptor<byte[], byte[]> JOIN = named("io.exaplane.scheduler.v2.Tree");

  /** What was spoken until protobuf was left: it is known for its refusal alone. */
  static final MethodDescriptor<byte[], byte[]> EARLIER_JOIN =
      named("io.exaplane.scheduler.v1.Tree");

  private TreeMethod() {}

  private static MethodDescriptor<byte[], byte[]> named(String service) {
    return MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(service, "Join"))
        .setRequestMarshaller(AS_THEY_ARE)
        .setResponseMarshaller(AS_THEY_ARE)
        .build();
  }
}
