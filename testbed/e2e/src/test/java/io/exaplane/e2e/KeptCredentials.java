// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Credentials of a hosted cluster that somebody took at one time and kept: of the administrator, of
 * a node and of a service account, and the CA of that time. None of them ends by itself while a
 * test runs. Each question is a connection of its own, and trusts the CAs of now unless it says
 * otherwise. One thread.
 */
final class KeptCredentials {
  static final String ACCEPTED = "200";
  static final String REFUSED = "401";

  /** curl's exit code for a server whose certificate no trusted CA has signed. */
  private static final int NOT_TRUSTED = 60;

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final long TOKEN_SECONDS = Duration.ofHours(6).toSeconds();
  private static final String CLIENT = "/var/lib/kubelet/pki/kubelet-client-current.pem";

  private final Scratch scratch;
  private final Path folder;
  private final Path authority;
  private final Path administrator;
  private final Path node;
  private final String token;

  /** Takes them, the node's from this host. */
  KeptCredentials(Scratch scratch, JoinedHost host, Path parent) throws IOException {
    this.scratch = scratch;
    this.folder = Files.createDirectory(parent.resolve("kept"));
    Config config = scratch.client().getConfiguration();
    authority = Files.writeString(folder.resolve("ca.crt"), pem(config.getCaCertData()));
    administrator =
        Files.writeString(
            folder.resolve("administrator.pem"),
            pem(config.getClientCertData()) + pem(config.getClientKeyData()));
    node = Files.writeString(folder.resolve("node.pem"), host.inside("cat", CLIENT) + "\n");
    token =
        scratch
            .client()
            .serviceAccounts()
            .inNamespace("default")
            .withName("default")
            .tokenRequest(
                new TokenRequestBuilder()
                    .withNewSpec()
                    .withExpirationSeconds(TOKEN_SECONDS)
                    .endSpec()
                    .build())
            .getStatus()
            .getToken();
  }

  private static String pem(String base64) {
    return new String(Base64.getDecoder().decode(base64), StandardCharsets.US_ASCII).strip() + "\n";
  }

  /** Which key signed a token: its header. */
  private static String keyId(String token) {
    return token.substring(0, token.indexOf('.'));
  }

  /** Whether the key that signed the token of that time signed this one, too. */
  boolean hasKeyOf(String other) {
    return keyId(other).equals(keyId(token));
  }

  /** Waits until the API gives all of them this answer, and the kubelets the administrator. */
  void awaitAnswers(String wanted, List<JoinedHost> hosts) {
    await("the API, of an administrator,", wanted, api(), certificate(administrator));
    await("the API, of a node,", wanted, api(), certificate(node));
    await("the API, of a service account,", wanted, api(), bearer());
    for (JoinedHost host : hosts) {
      String url = "https://[%s]:10250/pods".formatted(host.address());
      await(
          "the kubelet of %s, of an administrator,".formatted(host.name),
          wanted,
          url,
          certificate(administrator));
    }
  }

  /** Waits until who trusts the CA of that time alone can talk to the API's server, or cannot. */
  void awaitOldCa(boolean accepted) {
    Bed.await(
        "the old CA alone %s for the API's server".formatted(accepted ? "is enough" : "is not"),
        PATIENCE,
        () -> ask(authority, api(), bearer()).exit() == (accepted ? 0 : NOT_TRUSTED),
        () -> ask(authority, api(), bearer()).toString());
  }

  private void await(String who, String wanted, String url, List<String> how) {
    Bed.await(
        "%s says %s".formatted(who, wanted),
        PATIENCE,
        () -> ask(present(), url, how).output().strip().equals(wanted),
        () -> ask(present(), url, how).toString());
  }

  private String api() {
    return scratch.client().getConfiguration().getMasterUrl().replaceFirst("/+$", "") + "/api";
  }

  private static List<String> certificate(Path file) {
    return List.of("--cert", file.toString(), "--key", file.toString());
  }

  private List<String> bearer() {
    return List.of("--header", "Authorization: Bearer " + token);
  }

  /** The CAs that clients are to trust now. */
  private Path present() {
    try {
      return Files.writeString(
          folder.resolve("present.crt"), pem(scratch.client().getConfiguration().getCaCertData()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The output is the status of the answer, or 000 and why there is none. */
  private static Bed.Run ask(Path trusted, String url, List<String> how) {
    List<String> command =
        new ArrayList<>(List.of("curl", "-q", "--silent", "--show-error", "--globoff"));
    command.addAll(List.of("--noproxy", "*", "--max-time", "20", "--cacert", trusted.toString()));
    command.addAll(how);
    command.addAll(List.of("--output", "/dev/null", "--write-out", "%{http_code}", url));
    return Bed.run(command);
  }
}
