// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pass that closes a connection does not wait for the first LIST of an API that hangs. */
@Timeout(20)
class BegunInformersTest {
  private final BegunInformers informers = new BegunInformers();
  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();

  private SharedIndexInformer<?> informer() {
    begun.incrementAndGet();
    return (SharedIndexInformer<?>)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {SharedIndexInformer.class},
            (_, method, _) -> {
              assertThat(method.getName()).isEqualTo("close");
              closed.incrementAndGet();
              return null;
            });
  }

  @Test
  void whoClosesWaitsForNobodyAndNothingStaysOpen() throws Exception {
    CountDownLatch asks = new CountDownLatch(1);
    CountDownLatch answers = new CountDownLatch(1);
    Supplier<SharedIndexInformer<?>> hangs =
        () -> {
          asks.countDown();
          try {
            answers.await();
          } catch (InterruptedException e) {
            throw new KubernetesClientException("interrupted", e);
          }
          return informer();
        };
    Thread begins =
        Thread.startVirtualThread(() -> informers.begin(List.of(this::informer, hangs)));
    asks.await();
    informers.close();
    assertThat(closed).as("without the answer").hasValue(1);
    answers.countDown();
    begins.join();
    assertThat(closed).hasValue(2);
    informers.begin(List.of(this::informer));
    assertThat(begun).as("after the end").hasValue(2);
  }

  @Test
  void allBeginOnceAndAfterAFailureAllAgain() {
    Supplier<SharedIndexInformer<?>> fails =
        () -> {
          throw new KubernetesClientException("refused");
        };
    assertThatThrownBy(() -> informers.begin(List.of(this::informer, fails)))
        .isInstanceOf(KubernetesClientException.class);
    assertThat(closed).hasValue(1);
    informers.begin(List.of(this::informer, this::informer));
    informers.begin(List.of(this::informer, this::informer));
    assertThat(begun).hasValue(3);
    informers.close();
    assertThat(closed).hasValue(3);
  }
}
