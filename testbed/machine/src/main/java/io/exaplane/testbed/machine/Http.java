// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.machine;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** Requests to components on this machine, whose certificates are their own. */
public final class Http {
  /** An answer may take that long where thirty processes share the cores. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  public static final String TOKEN = "admin-of-the-test";
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().sslContext(trustful()).version(HttpClient.Version.HTTP_1_1).build();

  private Http() {}

  /** One that calls from an address of this machine. */
  public static HttpClient clientAt(InetAddress address) {
    return HttpClient.newBuilder()
        .sslContext(trustful())
        .version(HttpClient.Version.HTTP_1_1)
        .localAddress(address)
        .build();
  }

  /** One that has many requests on a connection. */
  public static HttpClient multiplexing() {
    return HttpClient.newBuilder()
        .sslContext(trustful())
        .version(HttpClient.Version.HTTP_2)
        .build();
  }

  /**
   * TLS over a connection, for a client that speaks HTTP itself. Who closes the connection ends it.
   */
  public static SSLSocket secured(Socket connection) throws IOException {
    String peer = connection.getInetAddress().getHostAddress();
    return (SSLSocket)
        trustful().getSocketFactory().createSocket(connection, peer, connection.getPort(), true);
  }

  public static HttpResponse<String> post(URI objects, String object)
      throws IOException, InterruptedException {
    return CLIENT.send(
        request(objects)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(object))
            .build(),
        BodyHandlers.ofString());
  }

  public static HttpResponse<String> get(URI page) throws IOException, InterruptedException {
    return CLIENT.send(request(page).GET().build(), BodyHandlers.ofString());
  }

  /** The bytes as they come, for a client that takes this encoding. */
  public static HttpResponse<byte[]> getEncoded(URI page, String encoding)
      throws IOException, InterruptedException {
    return CLIENT.send(
        request(page).header("Accept-Encoding", encoding).build(), BodyHandlers.ofByteArray());
  }

  /** Server-side apply. */
  public static HttpResponse<String> apply(URI object, String manifest)
      throws IOException, InterruptedException {
    return CLIENT.send(
        request(object)
            .header("Content-Type", "application/apply-patch+yaml")
            .method("PATCH", HttpRequest.BodyPublishers.ofString(manifest))
            .build(),
        BodyHandlers.ofString());
  }

  private static HttpRequest.Builder request(URI page) {
    return HttpRequest.newBuilder(page)
        .timeout(PATIENCE)
        .header("Authorization", "Bearer " + TOKEN);
  }

  private static SSLContext trustful() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new Trustful()}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Trusts everybody: the components are processes of the test. */
  private static final class Trustful extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
