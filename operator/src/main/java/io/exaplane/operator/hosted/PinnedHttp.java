// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import io.exaplane.operator.probe.CheckedAddress;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientBuilder;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * HTTP clients for servers that users name: each request resolves the name once, and connects to
 * the address that was checked. The certificate has to be for the name all the same. The library
 * that asks the Kubernetes API has no place for an address, so its Vert.x stands behind a proxy.
 * Thread-safe.
 */
final class PinnedHttp extends VertxHttpClientFactory {
  private final Vertx vertx;
  private final CheckedAddress addresses;
  private final Executor resolving;
  private final int resolveMs;

  /**
   * For any number of clients.
   *
   * @param vertx the caller's to close
   * @param resolving where a name's server may keep a thread waiting
   * @param resolveMs most time that a name takes
   */
  PinnedHttp(Vertx vertx, CheckedAddress addresses, Executor resolving, int resolveMs) {
    super(vertx);
    this.vertx = vertx;
    this.addresses = addresses;
    this.resolving = resolving;
    this.resolveMs = resolveMs;
  }

  @Override
  public VertxHttpClientBuilder<VertxHttpClientFactory> newBuilder() {
    return new VertxHttpClientBuilder<>(this, proxy(Vertx.class, this::ofVertx));
  }

  private Object ofVertx(Method method, Object[] arguments) throws Throwable {
    if (method.getName().equals("createHttpClient")
        && arguments != null
        && arguments[0] instanceof HttpClientOptions options) {
      HttpClient client = vertx.createHttpClient(options);
      return proxy(HttpClient.class, (m, a) -> ofClient(client, m, a));
    }
    return invoke(vertx, method, arguments);
  }

  /** All that would connect by a name of its own is refused. */
  private Object ofClient(HttpClient client, Method method, Object[] arguments) throws Throwable {
    if (method.getName().equals("request")
        && arguments.length == 1
        && arguments[0] instanceof RequestOptions options) {
      return request(client, options);
    }
    if (method.getName().equals("close") || method.getDeclaringClass() == Object.class) {
      return invoke(client, method, arguments);
    }
    throw new UnsupportedOperationException(method.getName());
  }

  private Future<HttpClientRequest> request(HttpClient client, RequestOptions options) {
    return Future.fromCompletionStage(
            CompletableFuture.supplyAsync(() -> resolve(options.getHost()), resolving)
                .orTimeout(resolveMs, TimeUnit.MILLISECONDS))
        .compose(
            address ->
                client.request(
                    new RequestOptions(options)
                        .setServer(
                            SocketAddress.inetSocketAddress(
                                options.getPort(), address.getHostAddress()))));
  }

  private InetAddress resolve(String host) {
    try {
      return addresses.of(host);
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  private interface Call {
    Object answer(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            PinnedHttp.class.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> call.answer(method, arguments)));
  }

  private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
