// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.hosted;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.client.utils.Serialization;
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
      return Optional.of("it can't be read as YAML; the user writes it anew");
    }
    if (config == null || config.getClusters() == null || config.getClusters().isEmpty()) {
      return Optional.of("it names no cluster; the user writes it anew");
    }
    return files(config).or(() -> current(config));
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
            "current-context leads to no cluster with a server; the user sets it ('kubectl config use-context')");
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
          "exec and auth-provider start programs that are not there; the user gives a token or a client certificate");
    }
    return file("client-certificate", user.getClientCertificate())
        .or(() -> file("client-key", user.getClientKey()))
        .or(() -> file("tokenFile", user.getTokenFile()));
  }

  private static Optional<String> file(String field, String value) {
    return value == null || value.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s names a file that is not there; the user puts its content into the kubeconfig ('kubectl config view --flatten')"
                .formatted(field));
  }
}
