// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.cli.measure.ApiServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.LocalPortForward;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The API of a management cluster, by a kubeconfig, as far as commands need it. Thread-safe. */
public final class Management implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int PATIENCE_SECONDS = 60;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final String TYPE = "application/json";

  /** How a server says that an account lacks a right, whatever decides on rights. */
  private static final Pattern LACKS =
      Pattern.compile("User \"(?:[^\"\\\\]|\\\\.)*\" cannot ([a-z]+) (?:resource|path) \"");

  private final KubernetesClient client;
  private final HttpClient http;
  private final String token;
  private final String url;
  private final String namespace;

  private Management(Config config) {
    client = new KubernetesClientBuilder().withConfig(config).build();
    http = client.getHttpClient();
    token = config.getAutoOAuthToken();
    url = config.getMasterUrl().replaceAll("/$", "");
    namespace = config.getNamespace() == null ? "default" : config.getNamespace();
  }

  /**
   * Connects as kubectl would.
   *
   * @param kubeconfig null for kubectl's
   * @param context null for the current one
   */
  public static Management connect(Path kubeconfig, String context) {
    return new Management(ApiServer.config(kubeconfig, context));
  }

  /** The namespace of the context. */
  public String namespace() {
    return namespace;
  }

  /**
   * One object.
   *
   * @throws PlaneException if it does not exist
   * @throws RightMissing if the account may not read it
   */
  public JsonNode get(Kind kind, String in, String name) {
    return find(kind, in, name)
        .orElseThrow(
            () ->
                new PlaneException(
                    "%s %s does not exist in namespace %s; list the objects with 'kubectl get %s --all-namespaces', and set --namespace"
                        .formatted(kind.title(), name, in, kind.resource())));
  }

  /** One object, if it exists. */
  public Optional<JsonNode> find(Kind kind, String in, String name) {
    Answer answer = send(request(kind.path(in) + "/" + encoded(name)).build());
    return answer.status == NOT_FOUND
        ? Optional.empty()
        : Optional.of(answer.json("get", kind, in, name));
  }

  /**
   * All objects, in pages.
   *
   * @param in null for all namespaces
   * @param selector of labels; null for all
   * @throws PlaneException if the server does not know the kind
   */
  public List<JsonNode> list(Kind kind, String in, String selector) {
    List<JsonNode> found = new ArrayList<>();
    String rest = "";
    do {
      String query =
          "?limit=500"
              + (selector == null ? "" : "&labelSelector=" + encoded(selector))
              + (rest.isEmpty() ? "" : "&continue=" + encoded(rest));
      Answer answer = send(request(kind.path(in) + query).build());
      if (answer.status == NOT_FOUND) {
        throw new KindUnknown(unknown(kind));
      }
      JsonNode page = answer.json("list", kind, in, "");
      page.path("items").forEach(found::add);
      rest = page.at("/metadata/continue").asText();
    } while (!rest.isEmpty());
    return found;
  }

  private static String unknown(Kind kind) {
    return kind == Kind.POD_METRICS
        ? "the management cluster measures no pods; install metrics-server"
        : "the management cluster does not know %s; check --kubeconfig and --context, and install Exaplane"
            .formatted(kind.resource());
  }

  /** Changes an object by a JSON merge patch. */
  public JsonNode patch(Kind kind, String in, String name, JsonNode change) {
    String type = "application/merge-patch+json";
    HttpRequest request =
        request(kind.path(in) + "/" + encoded(name))
            .method("PATCH", type, change.toString())
            .build();
    return send(request).json("patch", kind, in, name);
  }

  /**
   * Creates an object, and returns it as the server keeps it. An unknown field is refused.
   *
   * @param dryRun whether the server only tells if it would
   */
  public JsonNode create(Kind kind, String in, JsonNode object, boolean dryRun) {
    String query = "?fieldValidation=Strict" + (dryRun ? "&dryRun=All" : "");
    HttpRequest request = request(kind.path(in) + query).post(TYPE, object.toString()).build();
    return send(request).json("create", kind, in, "");
  }

  /**
   * Deletes an object in the background; one that does not exist is deleted.
   *
   * @param uid of the object that is meant
   * @throws PlaneException if another object has the name now
   */
  public void delete(Kind kind, String in, String name, String uid) {
    delete(kind, in, name, uid, false);
  }

  /**
   * Asks whether a deletion would be accepted, and deletes nothing.
   *
   * @throws PlaneException if the server would refuse it
   */
  public void tryDelete(Kind kind, String in, String name, String uid) {
    delete(kind, in, name, uid, true);
  }

  private void delete(Kind kind, String in, String name, String uid, boolean dryRun) {
    ObjectNode options = JSON.createObjectNode().put("propagationPolicy", "Background");
    options.putObject("preconditions").put("uid", uid);
    if (dryRun) {
      // Not as a parameter: with a body, the server reads no parameters.
      options.putArray("dryRun").add("All");
    }
    HttpRequest request =
        request(kind.path(in) + "/" + encoded(name)).delete(TYPE, options.toString()).build();
    Answer answer = send(request);
    if (answer.status != NOT_FOUND) {
      answer.json("delete", kind, in, name);
    }
  }

  /** The bearer token of the account; nothing if it has a certificate only. */
  public Optional<String> token() {
    return Optional.ofNullable(token).filter(text -> !text.isBlank());
  }

  /**
   * Asks the server whether the account has a right.
   *
   * @throws RightMissing if it has not
   */
  public void requireRight(String verb, String plural, String part, String in) {
    ObjectNode review = JSON.createObjectNode();
    review.put("apiVersion", "authorization.k8s.io/v1").put("kind", "SelfSubjectAccessReview");
    review
        .putObject("spec")
        .putObject("resourceAttributes")
        .put("namespace", in)
        .put("verb", verb)
        .put("resource", plural)
        .put("subresource", part);
    String path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    JsonNode answer =
        send(request(path).post(TYPE, review.toString()).build())
            .json("create", "selfsubjectaccessreviews", in, "");
    if (!answer.at("/status/allowed").asBoolean()) {
      throw new RightMissing(
          "%s %s/%s".formatted(verb, plural, part),
          "in namespace " + in,
          answer.at("/status/reason").asText("the server does not allow it"));
    }
  }

  /** A port of 127.0.0.1 that leads to one of a pod. The caller closes it. */
  public LocalPortForward forward(String in, String pod, int port) {
    return client
        .pods()
        .inNamespace(in)
        .withName(pod)
        .portForward(port, InetAddress.getLoopbackAddress(), 0);
  }

  /** What a container wrote. */
  public String log(String in, LogQuery query) {
    Answer answer = send(request(logPath(in, query)).build());
    return answer.text("get", "pods/log", in, query.pod());
  }

  /** The same as a stream, which stays open while the container runs if the query follows. */
  public InputStream stream(String in, LogQuery query) {
    HttpRequest request = request(logPath(in, query)).forStreaming().build();
    HttpResponse<InputStream> response = await(http.sendAsync(request, InputStream.class));
    if (response.code() / 100 != 2) {
      // The words of the refusal are read by the request that does not follow.
      return new java.io.ByteArrayInputStream(
          log(in, query.once()).getBytes(StandardCharsets.UTF_8));
    }
    return response.body();
  }

  private static String logPath(String in, LogQuery query) {
    return "%s/%s/log?%s".formatted(Kind.POD.path(in), encoded(query.pod()), query.parameters());
  }

  /** What the server says of its version. */
  public JsonNode version() {
    return send(request("/version").build()).json("get", "/version", "", "");
  }

  /** The server's schemas of Exaplane's own kinds, as OpenAPI 3; nothing without Exaplane. */
  public Optional<JsonNode> schemas() {
    String path = "/openapi/v3" + Kind.GROUP;
    Answer answer = send(request(path).build());
    return answer.status == NOT_FOUND
        ? Optional.empty()
        : Optional.of(answer.json("get", path, "", ""));
  }

  private HttpRequest.Builder request(String path) {
    return http.newHttpRequestBuilder().uri(url + path).header("Accept", TYPE + ", */*");
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private Answer send(HttpRequest request) {
    HttpResponse<byte[]> response = await(http.sendAsync(request, byte[].class));
    byte[] body = response.body() == null ? new byte[0] : response.body();
    return new Answer(response.code(), new String(body, StandardCharsets.UTF_8));
  }

  private <T> T await(CompletableFuture<T> sent) {
    try {
      return sent.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw silent(deepest(e));
    } catch (TimeoutException e) {
      sent.cancel(true);
      throw silent("no answer within %d s".formatted(PATIENCE_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw silent("interrupted");
    }
  }

  private NoAnswer silent(String why) {
    return new NoAnswer(
        "the management cluster does not answer at %s (%s); check --kubeconfig and --context, and repeat the command when the API serves"
            .formatted(url, why),
        why,
        0);
  }

  /** Whether words are about a right; a webhook that denies a request has its own words. */
  static boolean isAboutRight(String words, String verb) {
    Matcher found = LACKS.matcher(words);
    return found.find() && found.group(1).equals(verb);
  }

  private static String deepest(Throwable failure) {
    Throwable last = failure;
    while (last.getCause() != null && last.getCause() != last) {
      last = last.getCause();
    }
    return last.getMessage() == null ? last.getClass().getSimpleName() : last.getMessage();
  }

  @Override
  public void close() {
    client.close();
  }

  /** What came back. */
  private record Answer(int status, String body) {
    JsonNode json(String verb, Kind kind, String in, String name) {
      return json(verb, kind.resource(), in, name);
    }

    JsonNode json(String verb, String resource, String in, String name) {
      try {
        return JSON.readTree(text(verb, resource, in, name));
      } catch (JsonProcessingException e) {
        throw new PlaneException(
            "the answer about %s is not JSON; check the server in --kubeconfig"
                .formatted(resource));
      }
    }

    String text(String verb, String resource, String in, String name) {
      if (status / 100 == 2) {
        return body;
      }
      String where = in == null ? "in all namespaces" : "in namespace " + in;
      if (status == FORBIDDEN && isAboutRight(said(), verb)) {
        throw new RightMissing(verb + " " + resource, where, said());
      }
      String why = "status %d: %s".formatted(status, said());
      throw new NoAnswer(
          "the management cluster refuses to %s %s %s (%s); correct that, and repeat the command"
              .formatted(verb, (resource + " " + name).strip(), where, why),
          why,
          status);
    }

    /** The words of a Status object, or all of the text. */
    private String said() {
      try {
        String message = JSON.readTree(body).path("message").asText();
        return message.isEmpty() ? body.strip() : message;
      } catch (JsonProcessingException e) {
        return body.strip();
      }
    }
  }
}
