// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Informers of one connection, which begin once and end with it. To begin one takes as long as its
 * first LIST. Who closes the connection waits for none, since the API may hang. Thread-safe.
 */
final class BegunInformers implements AutoCloseable {
  private final Object beginning = new Object();
  private final List<SharedIndexInformer<?>> informers = new CopyOnWriteArrayList<>();
  private volatile boolean closed;

  /**
   * Begins all; does nothing if they have begun, or are closed.
   *
   * @throws RuntimeException if one cannot begin; the next call tries all again
   */
  void begin(List<Supplier<SharedIndexInformer<?>>> each) {
    synchronized (beginning) {
      if (closed || !informers.isEmpty()) {
        return;
      }
      try {
        for (Supplier<SharedIndexInformer<?>> one : each) {
          informers.add(one.get());
        }
      } catch (RuntimeException e) {
        end();
        throw e;
      }
      if (closed) {
        end();
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    end();
  }

  private void end() {
    informers.forEach(SharedIndexInformer::close);
    informers.clear();
  }
}
