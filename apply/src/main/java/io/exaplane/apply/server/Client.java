// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.server;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;

/**
 * What a port needs of a client: HTTP with its credentials. Thread-safe.
 *
 * @param http sends the requests
 * @param url of the server, without a slash at its end
 * @param end closes the connections
 * @param opening keeps further requests back while there is no connection
 */
record Client(HttpClient http, String url, Runnable end, Opening opening) {
  /** A client of the caller's. */
  static Client of(KubernetesClient client) {
    return new Client(
        client.getHttpClient(),
        plain(client.getConfiguration().getMasterUrl()),
        client::close,
        new Opening());
  }

  /**
   * HTTP alone, by the JDK. A client of the library would load some hundred classes for kinds that
   * a port never asks for by their types, and search all jars for other ways to send a request.
   */
  static Client of(Config config) {
    HttpClient http = new JdkHttpClientFactory().newBuilder(config).build();
    return new Client(http, plain(config.getMasterUrl()), http::close, new Opening());
  }

  private static String plain(String url) {
    return url.replaceAll("/+$", "");
  }
}
