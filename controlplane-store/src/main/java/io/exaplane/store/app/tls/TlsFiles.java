// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.tls;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * TLS from files that may change while the store runs: new connections get what the files hold
 * then. Files that can't be used leave what was in force, until they can. Thread-safe.
 */
public final class TlsFiles implements Supplier<SslContext> {
  private static final System.Logger LOG = System.getLogger(TlsFiles.class.getName());
  private static final long LOOK_EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Path certificate;
  private final Path key;
  private final Path clientCa;
  private final AllowedClients allowed;
  private final TlsRules rules;
  private final ClientLog clients =
      new ClientLog(
          text -> LOG.log(System.Logger.Level.INFO, "{0}", text),
          text -> LOG.log(System.Logger.Level.WARNING, "{0}", text),
          System::nanoTime);
  private SslContext context;
  private SslContext pagesContext;
  private List<FileState> states;
  private long lookedAtNanos;
  private long reloads;
  private long failures;
  private String unusable = "";

  /**
   * How files were read again since the start.
   *
   * @param unusable whether what the files hold now can't be used, and what was before is
   */
  public record Statistics(long reloads, long failures, boolean unusable) {}

  /**
   * @param clientCa CA of clients' certificates, null to ask for none; with one, a client without a
   *     certificate is turned away
   * @param allowed which of the clients that have one come in
   * @param rules versions, suites, and what was revoked
   * @throws GeneralSecurityException if the files don't hold what they should
   */
  public TlsFiles(Path certificate, Path key, Path clientCa, AllowedClients allowed, TlsRules rules)
      throws IOException, GeneralSecurityException {
    this.rules = rules;
    this.certificate = certificate;
    this.key = key;
    this.clientCa = clientCa;
    this.allowed = allowed;
    this.states = states();
    load();
    this.lookedAtNanos = System.nanoTime();
  }

  /** Whether a client without a certificate is turned away. */
  public boolean requiresClients() {
    return clientCa != null;
  }

  @Override
  public synchronized SslContext get() {
    long nowNanos = System.nanoTime();
    if (nowNanos - lookedAtNanos > LOOK_EVERY_NANOS) {
      lookedAtNanos = nowNanos;
      reloadIfChanged();
    }
    return context;
  }

  /** Looks whether files have changed, and tells how that went. By any thread. */
  public synchronized Statistics statistics() {
    get();
    return new Statistics(reloads, failures, !unusable.isEmpty());
  }

  /** The same for ports that have pages alone, which are served by HTTP/1.1. */
  public synchronized SslContext forPages() {
    get();
    return pagesContext;
  }

  private void reloadIfChanged() {
    try {
      List<FileState> now = states();
      if (!now.equals(states)) {
        load();
        states = now;
        reloads++;
        LOG.log(System.Logger.Level.INFO, "read the changed certificates from {0}", certificate);
      } else if (!unusable.isEmpty()) {
        LOG.log(System.Logger.Level.INFO, "{0} has the certificates in force again", certificate);
      }
      unusable = "";
    } catch (IOException | GeneralSecurityException e) {
      // Tried again each second, and told once.
      String why = e.toString();
      if (!why.equals(unusable)) {
        unusable = why;
        failures++;
        LOG.log(
            System.Logger.Level.WARNING,
            "the changed certificate files are unusable, and the previous ones stay in force: {0}",
            e.getMessage());
      }
    }
  }

  private List<FileState> states() throws IOException {
    List<FileState> all = new ArrayList<>();
    all.add(FileState.of(certificate));
    all.add(FileState.of(key));
    if (clientCa != null) {
      all.add(FileState.of(clientCa));
    }
    if (rules.revoked() != null) {
      all.add(FileState.of(rules.revoked()));
    }
    return all;
  }

  private void load() throws IOException, GeneralSecurityException {
    PrivateKey own = PemFiles.privateKey(key);
    X509Certificate[] chain = PemFiles.certificates(certificate);
    PemFiles.requirePair(key, own, certificate, chain);
    SslContext loaded =
        load(own, chain, ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1);
    pagesContext = load(own, chain, ApplicationProtocolNames.HTTP_1_1);
    context = loaded;
    String outOfTime = outOfTime(certificate, chain[0], Instant.now());
    if (!outOfTime.isEmpty()) {
      LOG.log(System.Logger.Level.WARNING, "{0}", outOfTime);
    }
  }

  /**
   * Why clients refuse a certificate at a time; empty if they don't. The store uses such a
   * certificate, as etcd does: the clock may be wrong, and clients may not look.
   */
  static String outOfTime(Path file, X509Certificate certificate, Instant now) {
    Instant begin = certificate.getNotBefore().toInstant();
    Instant end = certificate.getNotAfter().toInstant();
    if (now.isBefore(begin)) {
      return "the certificate of %s is not valid before %s, and clients refuse it until then; check the clock of this machine, or replace the certificate"
          .formatted(file, begin);
    }
    return now.isAfter(end)
        ? "the certificate of %s expired at %s, and clients refuse it; replace the certificate and its key"
            .formatted(file, end)
        : "";
  }

  private SslContext load(PrivateKey own, X509Certificate[] chain, String... protocols)
      throws IOException, GeneralSecurityException {
    SslContextBuilder builder =
        SslContextBuilder.forServer(own, chain)
            .protocols(rules.protocols())
            .ciphers(rules.ciphers().isEmpty() ? null : rules.ciphers())
            .applicationProtocolConfig(
                new ApplicationProtocolConfig(
                    Protocol.ALPN,
                    SelectorFailureBehavior.NO_ADVERTISE,
                    SelectedListenerFailureBehavior.ACCEPT,
                    protocols));
    if (clientCa != null) {
      builder
          .trustManager(new ClientGate(authority(), allowed, revoked(), clients))
          .clientAuth(ClientAuth.REQUIRE);
    }
    return builder.build();
  }

  private RevokedClients revoked() throws IOException, GeneralSecurityException {
    return rules.revoked() == null ? RevokedClients.NONE : RevokedClients.of(rules.revoked());
  }

  private X509ExtendedTrustManager authority() throws IOException, GeneralSecurityException {
    KeyStore authorities = KeyStore.getInstance(KeyStore.getDefaultType());
    authorities.load(null, null);
    int number = 0;
    for (X509Certificate ca : PemFiles.certificates(clientCa)) {
      authorities.setCertificateEntry(Integer.toString(number++), ca);
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(authorities);
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509ExtendedTrustManager extended) {
        return extended;
      }
    }
    throw new GeneralSecurityException("the JDK has no trust manager for connections");
  }
}
