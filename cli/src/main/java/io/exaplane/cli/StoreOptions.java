// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.cli.etcd.Credentials;
import io.exaplane.cli.etcd.EtcdClient;
import io.exaplane.cli.etcd.ShardAccess;
import io.exaplane.tuning.model.InvalidInputException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Which store is meant: by endpoints and certificates as etcdctl's, or by a StoreShard's name. */
final class StoreOptions {
  private static final int ETCD_PORT = 2379;
  private static final String LOCAL = "http://127.0.0.1:2379";

  @Option(
      names = "--endpoints",
      paramLabel = "URLS",
      defaultValue = "${env:ETCDCTL_ENDPOINTS:-}",
      description =
          "Address of the store, in the form of etcdctl's --endpoints (default: ETCDCTL_ENDPOINTS, or "
              + LOCAL
              + ").")
  String endpoints;

  @Option(
      names = "--cacert",
      paramLabel = "FILE",
      defaultValue = "${env:ETCDCTL_CACERT:-}",
      description = "Trusts this CA's certificates (default: ETCDCTL_CACERT).")
  String ca;

  @Option(
      names = "--cert",
      paramLabel = "FILE",
      defaultValue = "${env:ETCDCTL_CERT:-}",
      description = "The client's certificate (default: ETCDCTL_CERT).")
  String certificate;

  @Option(
      names = "--key",
      paramLabel = "FILE",
      defaultValue = "${env:ETCDCTL_KEY:-}",
      description = "The private key of --cert (default: ETCDCTL_KEY).")
  String key;

  @Option(
      names = "--shard",
      paramLabel = "STORESHARD",
      description = {
        "StoreShard of a management cluster, in place of the options above. The certificates come",
        "from the Secret of its control plane. A port-forward connects to its pod."
      })
  String shard;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      defaultValue = "default",
      description = "The StoreShard's namespace (default: ${DEFAULT-VALUE}).")
  String namespace;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "Kubeconfig of the management cluster (default: as kubectl).")
  Path kubeconfig;

  @Option(
      names = "--root",
      paramLabel = "PREFIX",
      defaultValue = "/registry/",
      description =
          "Prefix of kube-apiserver's keys, its --etcd-prefix (default: ${DEFAULT-VALUE}).")
  private String root;

  /** It ends with a slash. */
  String root() {
    return root.endsWith("/") ? root : root + "/";
  }

  /** A store and the way to it, which ends with it. */
  record Access(EtcdClient store, Runnable way, String etcdctl) implements AutoCloseable {
    @Override
    public void close() {
      store.close();
      way.run();
    }
  }

  Access connect() {
    if (shard == null) {
      Credentials credentials =
          Credentials.of(text("cacert", ca), text("cert", certificate), text("key", key));
      return new Access(EtcdClient.connect(urls(), credentials), () -> {}, etcdctl());
    }
    if (!endpoints.isEmpty() && System.getenv("ETCDCTL_ENDPOINTS") == null) {
      throw new InvalidInputException(
          "endpoints", endpoints, "can't be given beside --shard", "leave one of them out");
    }
    ShardAccess way = ShardAccess.open(kubeconfig, namespace, shard);
    try {
      EtcdClient store = EtcdClient.connect(List.of(way.endpoint()), way.credentials());
      return new Access(store, way::close, "etcdctl (see docs/full-store.md for its certificates)");
    } catch (RuntimeException e) {
      way.close();
      throw e;
    }
  }

  /** How to start etcdctl for the same store. */
  private String etcdctl() {
    StringBuilder command = new StringBuilder("etcdctl");
    command.append(" --endpoints=").append(urls().getFirst());
    for (String[] option :
        new String[][] {{"--cacert=", ca}, {"--cert=", certificate}, {"--key=", key}}) {
      if (!option[1].isEmpty()) {
        command.append(' ').append(option[0]).append(option[1]);
      }
    }
    return command.toString();
  }

  private List<URI> urls() {
    List<URI> urls = new ArrayList<>();
    for (String each : (endpoints.isEmpty() ? LOCAL : endpoints).split(",")) {
      urls.add(url(each.strip()));
    }
    return urls;
  }

  private URI url(String text) {
    boolean isTls = !ca.isEmpty() || !certificate.isEmpty();
    String whole = text.contains("://") ? text : (isTls ? "https://" : "http://") + text;
    try {
      URI url = URI.create(whole);
      if (url.getHost() != null && List.of("http", "https").contains(url.getScheme())) {
        int port = url.getPort() < 0 ? ETCD_PORT : url.getPort();
        return URI.create(url.getScheme() + "://" + url.getHost() + ":" + port);
      }
    } catch (IllegalArgumentException e) {
      // Said below.
    }
    throw new InvalidInputException(
        "endpoints", text, "must be URLs with commas between", "write " + LOCAL);
  }

  private static String text(String option, String file) {
    if (file.isEmpty()) {
      return "";
    }
    return TextFiles.read(option, Path.of(file));
  }
}
