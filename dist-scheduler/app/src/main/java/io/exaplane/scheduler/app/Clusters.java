// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.app;

import io.exaplane.scheduler.engine.model.InvalidObjectException;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where the API server is. */
final class Clusters {
  private static final Pattern PKCS8 =
      Pattern.compile("-----BEGIN PRIVATE KEY-----(.*?)-----END", Pattern.DOTALL);
  private static final List<String> ALGORITHMS = List.of("EC", "Ed25519", "RSA");

  private Clusters() {}

  /**
   * Of a file, or where this process runs.
   *
   * @throws InvalidObjectException if there is no such file, or it cannot be used
   */
  static Config config(Path kubeconfig) {
    if (kubeconfig == null) {
      return withoutTokensToRenew(Config.autoConfigure(null));
    }
    if (!Files.isReadable(kubeconfig)) {
      throw new InvalidObjectException(
          "--kubeconfig",
          kubeconfig,
          "must be a readable file",
          "check the path and the file's permissions");
    }
    try {
      Config config = Config.fromKubeconfig(kubeconfig.toFile());
      key(config).flatMap(Clusters::algorithm).ifPresent(config::setClientKeyAlgo);
      return withoutTokensToRenew(config);
    } catch (IOException e) {
      throw new InvalidObjectException(
          "--kubeconfig",
          kubeconfig,
          "must name a readable client key: " + e.getMessage(),
          "check client-key in the kubeconfig");
    }
  }

  /**
   * The client library looks for a new token once a minute, but where there is none it does so for
   * each request from the second minute on: it reads and parses the whole file again.
   */
  private static Config withoutTokensToRenew(Config config) {
    boolean certificate = config.getClientCertData() != null || config.getClientCertFile() != null;
    boolean token = config.getOauthToken() != null || config.getAutoOAuthToken() != null;
    if (certificate && !token && config.getAuthProvider() == null) {
      config.setOauthTokenProvider(() -> null);
    }
    return config;
  }

  /** The client's key in PEM, if there is one. */
  private static Optional<String> key(Config config) throws IOException {
    if (config.getClientKeyFile() != null) {
      return Optional.of(Files.readString(Path.of(config.getClientKeyFile())));
    }
    return Optional.ofNullable(config.getClientKeyData())
        .map(data -> new String(Base64.getMimeDecoder().decode(data), StandardCharsets.US_ASCII));
  }

  /** The client library takes a key whose PEM does not say its algorithm for one of RSA. */
  static Optional<String> algorithm(String pem) {
    Matcher key = PKCS8.matcher(pem);
    if (!key.find()) {
      return Optional.empty();
    }
    PKCS8EncodedKeySpec spec =
        new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(key.group(1)));
    return ALGORITHMS.stream().filter(algorithm -> isOf(algorithm, spec)).findFirst();
  }

  private static boolean isOf(String algorithm, PKCS8EncodedKeySpec key) {
    try {
      KeyFactory.getInstance(algorithm).generatePrivate(key);
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
