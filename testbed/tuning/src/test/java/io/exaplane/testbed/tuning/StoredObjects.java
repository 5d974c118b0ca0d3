// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Fills a store with copies of an object that a kube-apiserver wrote, without one: as fast as the
 * store takes them. What differs is the name, of which the original has seven digits.
 */
final class StoredObjects implements AutoCloseable {
  private static final int THREADS = 8;

  /** What stores take in one transaction, and less than they take in one request. */
  private static final int MOST_PUTS = 128;

  private static final int MOST_BYTES = 1_000_000;
  private static final int KEY = 1;
  private static final int KEY_VALUES = 2;
  private static final int VALUE = 5;
  private static final int PUT_VALUE = 2;
  private static final int TXN_SUCCESS = 2;
  private static final int OP_PUT = 2;
  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
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

  private final ManagedChannel channel;

  StoredObjects(URI store) {
    channel =
        Grpc.newChannelBuilderForAddress(
                store.getHost(), store.getPort(), InsecureChannelCredentials.create())
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .build();
  }

  /** The value that a store has of a key, as kube-apiserver wrote it. */
  byte[] value(String key) {
    byte[] answer = call("Range", field(KEY, key.getBytes(StandardCharsets.UTF_8)));
    return find(find(answer, KEY_VALUES), VALUE);
  }

  /**
   * Copies an object until so many bytes of values are stored, as many at once as the store takes:
   * those have one revision.
   *
   * @param key of the original, which ends with seven digits, as the name in its value does
   * @return how many there are, with the original
   */
  int copy(String key, double bytes) throws Exception {
    int length = value(key).length;
    int count = (int) (bytes / length);
    copy(key, count, Math.clamp(MOST_BYTES / length, 1, MOST_PUTS));
    return count;
  }

  /** Copies an object until there are so many, with the original; each has its own revision. */
  void copy(String key, int count) throws Exception {
    copy(key, count, 1);
  }

  private void copy(String key, int count, int atOnce) throws Exception {
    String digits = key.substring(key.length() - 7);
    byte[] original = value(key);
    String text = new String(original, StandardCharsets.ISO_8859_1);
    List<Callable<Void>> parts = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      int first = 1 + thread * atOnce;
      parts.add(
          () -> {
            for (int i = first; i < count; i += THREADS * atOnce) {
              List<byte[]> puts = new ArrayList<>();
              for (int at = i; at < Math.min(count, i + atOnce); at++) {
                String other = "%07d".formatted(at);
                puts.add(put(key.replace(digits, other), text.replace(digits, other)));
              }
              write(puts);
            }
            return null;
          });
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      for (Future<Void> part : threads.invokeAll(parts)) {
        part.get();
      }
    }
  }

  /**
   * Copies an object until the store refuses one.
   *
   * @return how many there are, with the original
   */
  int fill(String key) {
    String digits = key.substring(key.length() - 7);
    String text = new String(value(key), StandardCharsets.ISO_8859_1);
    for (int count = 1; ; count++) {
      String other = "%07d".formatted(count);
      try {
        write(List.of(put(key.replace(digits, other), text.replace(digits, other))));
      } catch (StatusRuntimeException e) {
        if (e.getStatus().getCode() == Status.Code.RESOURCE_EXHAUSTED) {
          return count;
        }
        throw e;
      }
    }
  }

  private static byte[] put(String key, String value) {
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.writeBytes(field(KEY, key.getBytes(StandardCharsets.UTF_8)));
    request.writeBytes(field(PUT_VALUE, value.getBytes(StandardCharsets.ISO_8859_1)));
    return request.toByteArray();
  }

  private void write(List<byte[]> puts) {
    if (puts.size() == 1) {
      call("Put", puts.getFirst());
      return;
    }
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    puts.forEach(put -> request.writeBytes(field(TXN_SUCCESS, field(OP_PUT, put))));
    call("Txn", request.toByteArray());
  }

  private byte[] call(String method, byte[] request) {
    MethodDescriptor<byte[], byte[]> descriptor =
        MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("etcdserverpb.KV/" + method)
            .setRequestMarshaller(BYTES)
            .setResponseMarshaller(BYTES)
            .build();
    return ClientCalls.blockingUnaryCall(
        channel, descriptor, CallOptions.DEFAULT.withDeadlineAfter(180, TimeUnit.SECONDS), request);
  }

  /** A field of protobuf that has bytes. */
  private static byte[] field(int number, byte[] value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(number << 3 | 2);
    int rest = value.length;
    while (rest > 0x7f) {
      out.write(rest & 0x7f | 0x80);
      rest >>>= 7;
    }
    out.write(rest);
    out.writeBytes(value);
    return out.toByteArray();
  }

  /** The last field of this number that has bytes. */
  private static byte[] find(byte[] message, int number) {
    byte[] found = {};
    int[] at = {0};
    while (at[0] < message.length) {
      long tag = varint(message, at);
      long value = varint(message, at);
      if ((tag & 7) == 2) {
        if (tag >>> 3 == number) {
          found = new byte[(int) value];
          System.arraycopy(message, at[0], found, 0, found.length);
        }
        at[0] += (int) value;
      }
    }
    return found;
  }

  private static long varint(byte[] message, int[] at) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte b = message[at[0]++];
      value |= (b & 0x7fL) << shift;
      if (b >= 0) {
        return value;
      }
    }
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
