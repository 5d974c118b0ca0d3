// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.hosted;

import io.exaplane.operator.probe.OffLimits;
import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.URI;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether a user's kubeconfig holds all that it needs. One that names files or programs would make
 * the operator read its own files for whoever wrote it, or run what they want. Pure.
 */
public final class KubeconfigCheck {
  private KubeconfigCheck() {}

  /** What is wrong with it, if something is: field, rule and next action. */
  public static Optional<String> problem(String kubeconfig) {
    io.fabric8.kubernetes.api.model.Config config;
    try {
      config = Serialization.unmarshal(kubeconfig, io.fabric8.kubernetes.api.model.Config.class);
    } catch (RuntimeException e) {
      return Optional.of("the kubeconfig is not valid YAML; write a new one");
    }
    if (config == null || config.getClusters() == null || config.getClusters().isEmpty()) {
      return Optional.of("the kubeconfig names no cluster; write a new one");
    }
    return files(config).or(() -> current(config)).or(() -> places(config));
  }

  private static Optional<String> files(io.fabric8.kubernetes.api.model.Config config) {
    Stream<Optional<String>> clusters =
        config.getClusters().stream()
            .filter(Objects::nonNull)
            .map(named -> cluster(named.getCluster()));
    Stream<Optional<String>> users =
        config.getUsers() == null
            ? Stream.empty()
            : config.getUsers().stream()
                .filter(Objects::nonNull)
                .map(named -> user(named.getUser()));
    return Stream.concat(clusters, users).flatMap(Optional::stream).findFirst();
  }

  /** Without a context the client library goes to the management cluster's own API. */
  private static Optional<String> current(io.fabric8.kubernetes.api.model.Config config) {
    Optional<String> cluster =
        config.getContexts() == null
            ? Optional.empty()
            : config.getContexts().stream()
                .filter(Objects::nonNull)
                .filter(
                    named ->
                        Objects.equals(named.getName(), config.getCurrentContext())
                            && named.getContext() != null)
                .map(named -> String.valueOf(named.getContext().getCluster()))
                .findFirst();
    boolean leadsThere =
        cluster
            .filter(
                name ->
                    config.getClusters().stream()
                        .filter(Objects::nonNull)
                        .anyMatch(
                            named ->
                                name.equals(named.getName())
                                    && named.getCluster() != null
                                    && named.getCluster().getServer() != null))
            .isPresent();
    return leadsThere
        ? Optional.empty()
        : Optional.of(
            "current-context refers to no cluster with a server; set it with 'kubectl config "
                + "use-context'");
  }

  /** The operator reaches more than who writes a kubeconfig: its own host, the cloud's metadata. */
  private static Optional<String> places(io.fabric8.kubernetes.api.model.Config config) {
    return config.getClusters().stream()
        .filter(Objects::nonNull)
        .map(named -> named.getCluster())
        .filter(cluster -> cluster != null && cluster.getServer() != null)
        .flatMap(cluster -> place(cluster).stream())
        .findFirst();
  }

  private static Optional<String> place(Cluster cluster) {
    if (cluster.getProxyUrl() != null && !cluster.getProxyUrl().isEmpty()) {
      return Optional.of(
          "proxy-url is not supported; name a server that the pods reach without a proxy");
    }
    URI server;
    try {
      server = URI.create(cluster.getServer());
    } catch (IllegalArgumentException e) {
      return Optional.of("server is not a URL; write https://HOST:PORT");
    }
    if (!"https".equals(server.getScheme()) || server.getHost() == null) {
      return Optional.of("server must be https://HOST:PORT; correct the scheme and the host");
    }
    return OffLimits.is(server.getHost())
        ? Optional.of(
            "server leads to the operator's own host or link, or to a cloud's metadata service; name an address that other hosts reach, too")
        : Optional.empty();
  }

  private static Optional<String> cluster(Cluster cluster) {
    return cluster == null
        ? Optional.empty()
        : file("certificate-authority", cluster.getCertificateAuthority());
  }

  private static Optional<String> user(AuthInfo user) {
    if (user == null) {
      return Optional.empty();
    }
    if (user.getExec() != null || user.getAuthProvider() != null) {
      return Optional.of(
          "exec and auth-provider start programs that the pods do not have; use a token or a "
              + "client certificate");
    }
    return file("client-certificate", user.getClientCertificate())
        .or(() -> file("client-key", user.getClientKey()))
        .or(() -> file("tokenFile", user.getTokenFile()));
  }

  private static Optional<String> file(String field, String value) {
    return value == null || value.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s names a file that the pods do not have; put the content into the kubeconfig with 'kubectl config view --flatten'"
                .formatted(field));
  }
}
