// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** Asks a server of a control plane for its certificate, as it serves it at this moment. */
final class ServedCertificate {
  private static final int TIMEOUT_MS = 20_000;

  record Server(String component, String address, int port) {}

  private ServedCertificate() {}

  /** The ready pods of the three components and the stores. */
  static List<Server> servers(Scratch scratch) {
    List<Server> servers = new ArrayList<>();
    add(servers, "apiserver", 6443, Bed.pods(scratch.name, scratch.namespace, "apiserver"));
    add(
        servers,
        "controller-manager",
        10257,
        Bed.pods(scratch.name, scratch.namespace, "controller-manager"));
    add(servers, "scheduler", 10259, Bed.pods(scratch.name, scratch.namespace, "scheduler"));
    add(
        servers,
        "store",
        2379,
        Bed.CLIENT
            .pods()
            .inNamespace(scratch.namespace)
            .withLabel("exaplane.io/store-shard")
            .list()
            .getItems());
    return servers;
  }

  private static void add(List<Server> servers, String component, int port, List<Pod> pods) {
    for (Pod pod : pods) {
      boolean ready =
          pod.getStatus().getConditions().stream()
              .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"));
      if (ready && pod.getMetadata().getDeletionTimestamp() == null) {
        servers.add(new Server(component, pod.getStatus().getPodIP(), port));
      }
    }
  }

  /** When what it serves expires; empty when it does not answer. */
  static Optional<Instant> expiry(Server server) {
    Kept kept = new Kept();
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {kept}, null);
      try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket()) {
        socket.connect(new InetSocketAddress(server.address(), server.port()), TIMEOUT_MS);
        socket.setSoTimeout(TIMEOUT_MS);
        socket.startHandshake();
      }
    } catch (IOException noAnswerOrNoClientCertificate) {
      // The server's certificate comes before either.
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
    return Optional.ofNullable(kept.certificate).map(c -> c.getNotAfter().toInstant());
  }

  /** Keeps what the server shows and trusts it: the test looks at dates, not at trust. */
  private static final class Kept extends X509ExtendedTrustManager {
    private X509Certificate certificate;

    @Override
    public void checkServerTrusted(
        X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {
      certificate = chain[0];
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {
      certificate = chain[0];
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {
      certificate = chain[0];
    }

    @Override
    public void checkClientTrusted(
        X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {
      throw new IllegalStateException("never a server");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {
      throw new IllegalStateException("never a server");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {
      throw new IllegalStateException("never a server");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
