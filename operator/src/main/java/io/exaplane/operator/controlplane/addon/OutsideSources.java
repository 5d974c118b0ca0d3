// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import io.exaplane.api.v1alpha1.AddonGitSource;
import io.exaplane.api.v1alpha1.AddonOciSource;
import io.exaplane.api.v1alpha1.AddonSpec;
import io.exaplane.apply.source.DockerConfig;
import io.exaplane.apply.source.GitSource;
import io.exaplane.apply.source.GitSpec;
import io.exaplane.apply.source.Limits;
import io.exaplane.apply.source.Login;
import io.exaplane.apply.source.OciSource;
import io.exaplane.apply.source.OciSpec;
import io.exaplane.apply.source.Reach;
import io.exaplane.apply.source.Source;
import io.fabric8.kubernetes.api.model.Secret;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Objects;

/**
 * Registries and repositories that add-ons name, with the logins of their Secrets.
 *
 * @param limits of each fetch; a fetch that may ask each host may do so without TLS
 */
record OutsideSources(LabelledSecrets secrets, Limits limits) {
  private static final String DOCKER = ".dockerconfigjson";
  private static final int MOST_TOKEN = 4096;
  private static final String DEFAULT_PORT = ":443";

  /** Reads the Secret of a source, if it names one. Blocks. */
  Source of(AddonSpec spec) throws AddonReader.Unreadable {
    return spec.oci() != null ? oci(spec.oci()) : git(spec.git());
  }

  private Source oci(AddonOciSource oci) throws AddonReader.Unreadable {
    return OciSource.of(
        new OciSpec(
            oci.reference(),
            text(oci.path()),
            oci.pullSecret() == null ? Login.NONE : registry(oci),
            text(oci.publicKey()),
            text(oci.authorities()),
            limits.reach() == Reach.ANY,
            limits));
  }

  private Login registry(AddonOciSource oci) throws AddonReader.Unreadable {
    String field = "oci.pullSecret";
    Secret secret =
        secrets.read(
            field,
            oci.pullSecret(),
            "docker-registry %s --docker-server=HOST --docker-username=NAME --docker-password=WORD");
    String config = LabelledSecrets.text(field, secret, DOCKER);
    if (config.isEmpty()) {
      throw new AddonReader.Unreadable(
          "%s %s: has no key %s; make it with 'kubectl create secret docker-registry'"
              .formatted(field, oci.pullSecret().name(), DOCKER));
    }
    Login login;
    try {
      login = DockerConfig.login(config, oci.reference());
    } catch (IllegalArgumentException e) {
      throw new AddonReader.Unreadable(
          "%s %s: %s".formatted(field, oci.pullSecret().name(), e.getMessage()));
    }
    if (login.equals(Login.NONE)) {
      throw new AddonReader.Unreadable(
          "%s %s: has no login for the registry of %s; add one under auths, or omit pullSecret"
              .formatted(field, oci.pullSecret().name(), oci.reference()));
    }
    return login;
  }

  private Source git(AddonGitSource git) throws AddonReader.Unreadable {
    return GitSource.of(
        new GitSpec(
            git.url(),
            text(git.ref()),
            text(git.path()),
            git.secret() == null ? Login.NONE : token(git),
            text(git.authorities()),
            limits));
  }

  private Login token(AddonGitSource git) throws AddonReader.Unreadable {
    String field = "git.secret";
    Secret secret =
        secrets.read(
            field, git.secret(), "generic %s --from-literal=host=HOST --from-literal=token=WORD");
    requireHost(field, secret, git);
    String token = LabelledSecrets.text(field, secret, "token").strip();
    String user = LabelledSecrets.text(field, secret, "username").strip();
    String word = token.isEmpty() ? LabelledSecrets.text(field, secret, "password").strip() : token;
    boolean isWord =
        !word.isEmpty()
            && word.length() <= MOST_TOKEN
            && word.chars().allMatch(c -> c > ' ' && c < 0x7f);
    if (!isWord) {
      throw new AddonReader.Unreadable(
          "%s %s: must have the key token, or password, with one word of at most %d characters; write the token alone"
              .formatted(field, git.secret().name(), MOST_TOKEN));
    }
    return new Login(user, word);
  }

  /** Who writes the spec chooses the address; who made the Secret says which host is meant. */
  private void requireHost(String field, Secret secret, AddonGitSource git)
      throws AddonReader.Unreadable {
    String wanted = host(git.url());
    String host = LabelledSecrets.text(field, secret, "host").strip();
    String name = git.secret().name();
    if (host.isEmpty()) {
      throw new AddonReader.Unreadable(
          "%1$s %2$s: has no key host, with which the Secret's maker names the host that gets the login; run 'kubectl -n %3$s patch secret %2$s -p \"stringData: {host: %4$s}\"' if that host may have the login, or name another Secret"
              .formatted(field, name, secrets.controlPlane().getMetadata().getNamespace(), wanted));
    }
    String given =
        host.endsWith(DEFAULT_PORT)
            ? host.substring(0, host.length() - DEFAULT_PORT.length())
            : host;
    if (!given.equalsIgnoreCase(wanted)) {
      throw new AddonReader.Unreadable(
          "%s %s: its key host must be %s, the host of git.url, or host:port if the port is not 443; correct git.url, or name another Secret"
              .formatted(field, name, wanted));
    }
  }

  /** Host of an address, with a port that is not that of TLS. */
  private static String host(String url) throws AddonReader.Unreadable {
    try {
      URI uri = new URI(url);
      if (uri.getHost() != null) {
        int port = uri.getPort() < 0 && "http".equals(uri.getScheme()) ? 80 : uri.getPort();
        return uri.getHost() + (port < 0 || port == 443 ? "" : ":" + port);
      }
    } catch (URISyntaxException e) {
      // Said below.
    }
    throw new AddonReader.Unreadable(
        "git.url: must be https://HOST/PATH without a login; correct the address");
  }

  private static String text(String given) {
    return Objects.requireNonNullElse(given, "");
  }
}
