// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.measure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.version.MinorVersion;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.OAuthTokenProvider;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A kube-apiserver as a kubeconfig names it, over one HTTP/2 connection, so that all requests and
 * all figures are of one server. Thread-safe.
 */
public final class ApiServer implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();

  static {
    WithoutKinds.set();
  }

  private final KubernetesClient client;
  private final HttpClient http;
  private final String url;

  private ApiServer(Config config) {
    client = new KubernetesClientBuilder().withConfig(config).build();
    http = client.getHttpClient();
    url = config.getMasterUrl().replaceAll("/$", "");
  }

  /**
   * Connects by a kubeconfig, or by what kubectl would take without one.
   *
   * @throws InvalidInputException if the file can't be read
   */
  public static ApiServer connect(Path kubeconfig) {
    return connect(kubeconfig, null);
  }

  /**
   * The same with a context of the kubeconfig; null for the current one.
   *
   * @throws InvalidInputException if the file can't be read or lacks the context
   */
  public static ApiServer connect(Path kubeconfig, String context) {
    return new ApiServer(config(kubeconfig, context));
  }

  /**
   * How to reach a kube-apiserver, by a kubeconfig, or by what kubectl would take without one.
   *
   * @throws InvalidInputException if the file can't be read
   */
  public static Config config(Path kubeconfig) {
    return config(kubeconfig, null);
  }

  /**
   * The same with a context of the kubeconfig; null for the current one.
   *
   * @throws InvalidInputException if the file can't be read or lacks the context
   */
  public static Config config(Path kubeconfig, String context) {
    Config config = read(kubeconfig, context);
    requireContext(config, context);
    requireCredentials(config);
    ConfigBuilder builder = new ConfigBuilder(config);
    ClusterEntry.proxy(config, kubeconfig)
        // As for kubectl, no host of NO_PROXY goes past it.
        .ifPresent(
            proxy -> builder.withHttpsProxy(proxy).withHttpProxy(proxy).withNoProxy(new String[0]));
    String key = ClusterEntry.data("client-key-data", config.getClientKeyData());
    // What is measured is one request, not what a client makes of several.
    return builder
        .withRequestRetryBackoffLimit(0)
        .withRequestTimeout(0)
        .withConnectionTimeout(10_000)
        .withCaCertData(ClusterEntry.data("certificate-authority-data", config.getCaCertData()))
        .withClientCertData(
            ClusterEntry.data("client-certificate-data", config.getClientCertData()))
        .withClientKeyData(key)
        .withClientKeyAlgo(keyAlgorithm(key, config.getClientKeyFile()))
        .withOauthTokenProvider(noToken(config))
        .build();
  }

  private static Config read(Path kubeconfig, String context) {
    if (kubeconfig != null && !Files.isReadable(kubeconfig)) {
      throw new InvalidInputException(
          "kubeconfig", kubeconfig.toString(), "cannot be read", "name another");
    }
    try {
      return kubeconfig == null
          ? Config.autoConfigure(context)
          : Config.fromKubeconfig(context, kubeconfig.toFile());
    } catch (KubernetesClientException | IllegalArgumentException e) {
      throw new InvalidInputException(
          "kubeconfig",
          kubeconfig == null
              ? String.join(File.pathSeparator, Config.getKubeconfigFilenames())
              : kubeconfig.toString(),
          "cannot be read: " + e.getMessage(),
          "name another");
    }
  }

  /**
   * The proxy that a kubeconfig names for its cluster.
   *
   * @param config as {@link #config(Path, String)} returned it for the same file
   */
  public static Optional<String> proxy(Config config, Path kubeconfig) {
    return ClusterEntry.proxy(config, kubeconfig);
  }

  /** The library takes the current context, or none, for one that does not exist. */
  private static void requireContext(Config config, String context) {
    if (context == null) {
      return;
    }
    List<String> names =
        config.getContexts() == null
            ? List.of()
            : config.getContexts().stream().map(NamedContext::getName).sorted().toList();
    if (!names.contains(context)) {
      throw new InvalidInputException(
          "context",
          context,
          "must be a context of the kubeconfig",
          "choose from: " + (names.isEmpty() ? "none" : String.join(", ", names)));
    }
  }

  /** The library goes on as nobody when a plugin fails. 'kubectl proxy' asks for nobody's name. */
  private static void requireCredentials(Config config) {
    boolean some =
        config.getMasterUrl().startsWith("http://")
            || config.getAutoOAuthToken() != null
            || config.getClientCertData() != null
            || config.getClientCertFile() != null
            || config.getUsername() != null;
    if (!some) {
      throw new InvalidInputException(
          "kubeconfig",
          config.getMasterUrl(),
          "contains no credentials: no token, no certificate, or its plugin failed",
          "check the credentials with 'kubectl auth whoami'");
    }
  }

  /** The library would look for a token with each request, after the first minute without one. */
  private static OAuthTokenProvider noToken(Config config) {
    boolean none = config.getAutoOAuthToken() == null && config.getAuthProvider() == null;
    return none ? () -> null : null;
  }

  /** Of the client's key: the library takes each for RSA's unless it is told. */
  private static String keyAlgorithm(String data, String file) {
    try {
      String pem = null;
      if (data != null) {
        pem =
            ClusterEntry.isPem(data)
                ? data
                : new String(
                    ClusterEntry.decoded("client-key-data", data), StandardCharsets.US_ASCII);
      } else if (file != null) {
        pem = Files.readString(Path.of(file));
      }
      return pem == null || isRsa(pem) ? "RSA" : "EC";
    } catch (IOException e) {
      throw new InvalidInputException(
          "kubeconfig",
          file,
          "cannot be read: " + FileFailure.reason(e),
          "name another client key");
    }
  }

  private static boolean isRsa(String pem) {
    if (!pem.contains("-----BEGIN PRIVATE KEY-----")) {
      return pem.contains("RSA PRIVATE KEY");
    }
    byte[] key = Base64.getMimeDecoder().decode(pem.replaceAll("-----[^-]*-----", ""));
    try {
      KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(key));
      return true;
    } catch (GeneralSecurityException notRsa) {
      return false;
    }
  }

  /**
   * An answer.
   *
   * @param status of HTTP
   * @param body as it came over the wire, compressed if {@code compressed}
   * @param seconds from the request to the last byte
   */
  public record Answer(int status, byte[] body, boolean compressed, double seconds) {
    public String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    JsonNode json() {
      try {
        return JSON.readTree(body);
      } catch (IOException e) {
        throw new MeasurementException("kube-apiserver's answer is not valid JSON", e);
      }
    }
  }

  /** The version of the server. */
  public MinorVersion version() {
    JsonNode version = fetch("/version").json();
    return MinorVersion.parse(version.path("gitVersion").asText());
  }

  /** A GET with these headers; waits a minute and a half at most. */
  public Answer get(String path, Map<String, String> headers) {
    HttpRequest.Builder request = http.newHttpRequestBuilder().uri(url + path);
    headers.forEach(request::header);
    return send(request.build(), path);
  }

  /** A POST of JSON. */
  Answer post(String path, byte[] body) {
    return send(
        http.newHttpRequestBuilder().uri(url + path).post("application/json", body).build(), path);
  }

  private Answer send(HttpRequest request, String path) {
    long start = System.nanoTime();
    CompletableFuture<HttpResponse<byte[]>> sent = http.sendAsync(request, byte[].class);
    try {
      HttpResponse<byte[]> response = sent.get(90, TimeUnit.SECONDS);
      double seconds = (System.nanoTime() - start) / 1e9;
      boolean compressed = "gzip".equals(response.header("Content-Encoding"));
      byte[] body = response.body();
      return new Answer(response.code(), body == null ? new byte[0] : body, compressed, seconds);
    } catch (ExecutionException e) {
      throw new MeasurementException(
          url + path + ": no answer: " + ApiFailure.reason(e), e.getCause());
    } catch (TimeoutException e) {
      sent.cancel(true);
      throw new MeasurementException(url + path + ": no answer within 90 s", e);
    } catch (InterruptedException e) {
      throw Waiting.interrupted(e);
    }
  }

  /** A GET that has to be answered with what it asks for. */
  Answer fetch(String path, Map<String, String> headers) {
    return expect(get(path, headers), path);
  }

  /** The same without headers. */
  Answer fetch(String path) {
    return fetch(path, Map.of());
  }

  /** The answer if the server gave what was asked for; says what it gave instead if not. */
  Answer expect(Answer answer, String path) {
    if (answer.status() / 100 != 2) {
      throw new MeasurementException(
          "%s%s: kube-apiserver answers with status %d: %s"
              .formatted(url, path, answer.status(), answer.text().strip()));
    }
    return answer;
  }

  /** What the server says of itself just now. */
  public ServerFigures figures() {
    return ServerFigures.parse(fetch("/metrics").text());
  }

  /** The server's figures after a collection; nothing if it does not let itself be profiled. */
  Optional<ServerFigures> collected() {
    boolean done = get("/debug/pprof/heap?gc=1&debug=1", Map.of()).status() == 200;
    return done ? Optional.of(figures()) : Optional.empty();
  }

  KubernetesClient client() {
    return client;
  }

  HttpClient http() {
    return http;
  }

  String url() {
    return url;
  }

  @Override
  public void close() {
    client.close();
  }
}
