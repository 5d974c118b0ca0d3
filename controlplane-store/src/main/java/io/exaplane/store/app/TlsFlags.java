// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import io.exaplane.store.app.tls.TlsFiles;
import io.exaplane.store.app.tls.TlsRules;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** TLS of the ports, as flags. Set once, by picocli. */
final class TlsFlags {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(names = "--cert-file", description = "Certificate for https URLs, in PEM.")
  private Path certFile;

  @Option(names = "--key-file", description = "Private key of the certificate, in PEM.")
  private Path keyFile;

  @Option(
      names = "--trusted-ca-file",
      description =
          "CA of clients' certificates, in PEM. The store refuses clients without a certificate of this"
              + " CA, as etcd does. The store reads changed files again.")
  private Path trustedCaFile;

  @Option(
      names = "--client-cert-auth",
      description =
          "Refuse clients without a certificate of the CA in --trusted-ca-file, which is needed then.",
      arity = "0..1",
      fallbackValue = "true")
  private boolean clientCertAuth;

  @Option(
      names = "--client-crl-file",
      description =
          "List of revoked clients' certificates, in PEM or DER. The store reads a changed file again.")
  private Path clientCrlFile;

  @Option(
      names = "--tls-min-version",
      defaultValue = "TLS1.2",
      description = "Oldest version of TLS: TLS1.2, TLS1.3 (default: ${DEFAULT-VALUE}).")
  private String tlsMinVersion;

  @Option(
      names = "--tls-max-version",
      defaultValue = "",
      description = "Newest version of TLS: TLS1.2, TLS1.3 (default: the newest).")
  private String tlsMaxVersion;

  @Option(
      names = "--cipher-suites",
      split = "\\s*,\\s*",
      description =
          "Suites of TLS 1.2 that the store accepts, for example"
              + " TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 (default: those of Java). TLS 1.3 has its own.")
  private List<String> cipherSuites = List.of();

  @Mixin private ClientNames clientNames = new ClientNames();

  /**
   * The files, read once.
   *
   * @param isSecure whether any URL has TLS; null is returned if none has
   * @throws ParameterException if flags or files can't be used, with the rule that they break
   */
  TlsFiles files(boolean isSecure) {
    boolean areAsked = areAsked();
    clientNames.check(spec, isSecure && areAsked);
    TlsRules rules = rules();
    if (!isSecure) {
      return null;
    }
    if (!isGiven(certFile) || !isGiven(keyFile)) {
      throw refused("--cert-file", certFile, "is needed, with --key-file, for https URLs");
    }
    if (areAsked && !isGiven(trustedCaFile)) {
      throw refused("--trusted-ca-file", trustedCaFile, "is needed for --client-cert-auth");
    }
    if (rules.revoked() != null && !areAsked) {
      throw refused("--client-crl-file", rules.revoked(), "needs --trusted-ca-file");
    }
    try {
      return new TlsFiles(
          certFile,
          keyFile,
          isGiven(trustedCaFile) ? trustedCaFile : null,
          clientNames.allowed(),
          rules);
    } catch (IOException | GeneralSecurityException e) {
      throw refused(
          "--cert-file", certFile, "cannot be used with its key, CA and list: " + e.getMessage());
    }
  }

  /**
   * Tells of URLs where anybody comes in although flags name clients: TLS alone asks for
   * certificates. etcd warns, too. The machine's own addresses and sockets are left out.
   *
   * @param urls those of --listen-client-urls, each one an endpoint
   */
  void tellOfOpen(List<String> urls) {
    if (!areAsked() && !isGiven(clientCrlFile)) {
      return;
    }
    for (String url : urls) {
      Endpoint endpoint = Endpoint.of(url);
      if (!endpoint.isSecure()
          && endpoint.address() instanceof InetSocketAddress address
          && !address.getAddress().isLoopbackAddress()) {
        spec.commandLine()
            .getErr()
            .printf(
                "WARNING --listen-client-urls: %s lets in clients without a certificate, whatever --trusted-ca-file, --client-cert-auth and --client-crl-file say; write https:// or remove the URL%n",
                url);
      }
    }
    spec.commandLine().getErr().flush();
  }

  private boolean areAsked() {
    return clientCertAuth || isGiven(trustedCaFile);
  }

  private TlsRules rules() {
    try {
      return TlsRules.of(
          tlsMinVersion,
          tlsMaxVersion,
          cipherSuites.stream().filter(suite -> !suite.isEmpty()).toList(),
          isGiven(clientCrlFile) ? clientCrlFile : null);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), e.getMessage() + "; correct it and start again");
    }
  }

  /** Templates write a flag with an empty value for none, which etcd takes so. */
  private static boolean isGiven(Path file) {
    return file != null && !file.toString().isEmpty();
  }

  private ParameterException refused(String flag, Object value, String rule) {
    return new ParameterException(
        spec.commandLine(), "%s: %s %s; correct it and start again".formatted(flag, value, rule));
  }
}
