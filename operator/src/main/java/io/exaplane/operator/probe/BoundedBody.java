// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.probe;

import io.exaplane.operator.probe.ProbeFailure.TooLargeException;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Ends an answer that is longer than any of the few small ones that are asked for: a client of the
 * Kubernetes library reads them whole. Thread-safe.
 */
public final class BoundedBody implements Interceptor {
  /** Its name among a client's interceptors. */
  public static final String NAME = "bounded-body";

  private final long mostBytes;

  public BoundedBody(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  @Override
  public AsyncBody.Consumer<List<ByteBuffer>> consumer(
      AsyncBody.Consumer<List<ByteBuffer>> consumer, HttpRequest request) {
    return new AsyncBody.Consumer<>() {
      private long bytes;

      @Override
      public void consume(List<ByteBuffer> value, AsyncBody body) throws Exception {
        for (ByteBuffer buffer : value) {
          bytes += buffer.remaining();
        }
        if (bytes > mostBytes) {
          body.cancel();
          throw new TooLargeException();
        }
        consumer.consume(value, body);
      }

      @Override
      public <U> U unwrap(Class<U> target) {
        return consumer.unwrap(target);
      }
    };
  }
}
