// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import io.exaplane.cli.measure.ApiServer;
import io.exaplane.cli.measure.MeasurementException;
import io.exaplane.tuning.model.InvalidInputException;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Where an API server is, and who asks it. Thread-safe. */
final class Server {
  private static final long READ_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int HTTPS_PORT = 443;
  private static final int HTTP_PORT = 80;

  private final Path kubeconfig;
  private final String context;
  private final URI url;
  private final Optional<SslContext> tls;
  private final boolean checksName;
  private final AtomicReference<Token> token;

  /** A bearer token, empty for none, and when it was read. */
  private record Token(String text, long readNanos) {}

  private Server(Path kubeconfig, String context, Config config) {
    this.kubeconfig = kubeconfig;
    this.context = context;
    this.url = URI.create(config.getMasterUrl());
    this.tls = "https".equals(url.getScheme()) ? Optional.of(tls(config)) : Optional.empty();
    this.checksName = !config.isTrustCerts() && !config.isDisableHostnameVerification();
    this.token = new AtomicReference<>(token(config));
  }

  /**
   * By a kubeconfig, or by what kubectl would take without one.
   *
   * @param context of the kubeconfig; null for its current one
   */
  static Server of(Path kubeconfig, String context) {
    Config config = ApiServer.config(kubeconfig, context);
    if (ApiServer.proxy(config, kubeconfig).isPresent()) {
      throw new InvalidInputException(
          "kubeconfig",
          config.getMasterUrl(),
          "is behind the proxy-url of the kubeconfig, but a load connects directly, to measure the"
              + " server and no proxy",
          "run the command on a host that reaches the server, with a kubeconfig without proxy-url");
    }
    return new Server(kubeconfig, context, config);
  }

  private static Token token(Config config) {
    String text = config.getAutoOAuthToken();
    return new Token(text == null ? "" : text, System.nanoTime());
  }

  private static SslContext tls(Config config) {
    try {
      return new JdkSslContext(
          SSLUtils.sslContext(config),
          true,
          Http2SecurityUtil.CIPHERS,
          SupportedCipherSuiteFilter.INSTANCE,
          new ApplicationProtocolConfig(
              ApplicationProtocolConfig.Protocol.ALPN,
              ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
              ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
              ApplicationProtocolNames.HTTP_2),
          ClientAuth.NONE,
          null,
          false);
    } catch (GeneralSecurityException | IOException e) {
      throw new MeasurementException(
          "the certificates for %s cannot be read (%s); check --kubeconfig"
              .formatted(config.getMasterUrl(), e.getMessage()));
    }
  }

  String url() {
    return url.toString().replaceAll("/$", "");
  }

  String host() {
    return url.getHost().replaceAll("[\\[\\]]", "");
  }

  int port() {
    if (url.getPort() > 0) {
      return url.getPort();
    }
    return tls.isPresent() ? HTTPS_PORT : HTTP_PORT;
  }

  String authority() {
    return url.getRawAuthority();
  }

  String scheme() {
    return url.getScheme();
  }

  /** What the server's address has behind the authority, before each path. */
  String prefix() {
    return url.getRawPath() == null ? "" : url.getRawPath().replaceAll("/$", "");
  }

  Optional<SslContext> tls() {
    return tls;
  }

  boolean checksName() {
    return checksName;
  }

  /** A bearer token; empty without one. */
  String token() {
    return token.get().text();
  }

  /** Reads an expired token again, once in ten seconds at most. */
  void unauthorized() {
    Token old = token.get();
    if (!old.text().isEmpty() && System.nanoTime() - old.readNanos() > READ_AGAIN_NANOS) {
      token.compareAndSet(old, token(ApiServer.config(kubeconfig, context)));
    }
  }
}
