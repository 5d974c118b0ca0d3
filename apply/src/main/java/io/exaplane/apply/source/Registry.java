// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/**
 * A registry as OCI's distribution specification has it, for one fetch. Follows redirects itself,
 * so that a login goes to the registry's own host only. One thread, besides the end by time.
 */
final class Registry implements AutoCloseable {
  private static final String MANIFESTS =
      "application/vnd.oci.image.manifest.v1+json,"
          + "application/vnd.docker.distribution.manifest.v2+json,"
          + "application/vnd.oci.image.index.v1+json";
  private static final int MOST_HOPS = 5;
  private static final int MOST_MANIFEST = 4 << 20;
  private static final int MOST_TOKEN = 64 << 10;

  /** A token of JSON may be two bytes, and takes a hundred of memory. */
  private static final long MOST_JSON_TOKENS = 100_000;

  private static final int MOST_JSON_LEVELS = 50;
  private static final Duration ANSWER = Duration.ofSeconds(30);
  private static final Pattern PARAMETER = Pattern.compile("([a-zA-Z]+)=\"([^\"]{0,2000})\"");

  private final ObjectMapper json =
      new ObjectMapper(
          JsonFactory.builder()
              .streamReadConstraints(
                  StreamReadConstraints.builder()
                      .maxTokenCount(MOST_JSON_TOKENS)
                      .maxNestingDepth(MOST_JSON_LEVELS)
                      .build())
              .build());
  private final OciReference reference;
  private final OciSpec spec;
  private final HttpClient http;
  private final CompletableFuture<Void> end;
  private final Budget budget;
  private String authorization = "";

  Registry(OciReference reference, OciSpec spec) throws Refused {
    this.reference = reference;
    this.spec = spec;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(
                ANSWER.compareTo(spec.limits().time()) < 0 ? ANSWER : spec.limits().time());
    if (!spec.authorities().isEmpty()) {
      try {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, Trust.managers(spec.authorities()), null);
        builder.sslContext(context);
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("this JDK lacks TLS; use another JDK", e);
      }
    }
    http = builder.build();
    budget = new Budget(spec.limits().downloadBytes());
    end =
        new CompletableFuture<Void>()
            .orTimeout(spec.limits().time().toMillis(), TimeUnit.MILLISECONDS);
    end.exceptionally(
        late -> {
          http.shutdownNow();
          return null;
        });
  }

  /** A manifest by tag or digest; its own digest is that of its bytes. */
  record Manifest(byte[] bytes, JsonNode value, String digest) {}

  /** The digest that a tag has now, by the registry's word; empty if the registry does not say. */
  String digest(String tag) throws Refused, InterruptedException {
    HttpResponse<InputStream> answer = ask("HEAD", uri("/manifests/" + tag), MANIFESTS);
    close(answer);
    String digest = answer.headers().firstValue("Docker-Content-Digest").orElse("");
    return answer.statusCode() == 200 && Digest.isOne(digest) ? digest : "";
  }

  Manifest manifest(String wanted) throws Refused, InterruptedException {
    HttpResponse<InputStream> answer = ask("GET", uri("/manifests/" + wanted), MANIFESTS);
    try (InputStream body = answer.body()) {
      require(answer, wanted);
      byte[] bytes = budget.counted(body).readNBytes(MOST_MANIFEST + 1);
      if (bytes.length > MOST_MANIFEST) {
        throw Refused.lasting(
            "oci", reference.toString(), "has a manifest above 4 MiB", "publish a smaller one");
      }
      String digest = Digest.of(bytes);
      if (wanted.startsWith("sha256:") && !wanted.equals(digest)) {
        throw Refused.passing(
            "oci",
            reference.toString(),
            "is answered with a manifest of another digest, " + digest,
            "check the registry");
      }
      return new Manifest(bytes, json.readTree(bytes), digest);
    } catch (StreamConstraintsException e) {
      throw Refused.lasting(
          "oci",
          reference.toString(),
          "has a manifest above %d tokens of JSON, or %d levels"
              .formatted(MOST_JSON_TOKENS, MOST_JSON_LEVELS),
          "publish a smaller one");
    } catch (JsonProcessingException e) {
      throw Refused.lasting(
          "oci", reference.toString(), "has a manifest that is not JSON", "check the registry");
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  /** A blob; the caller closes it, and compares the digest. */
  InputStream blob(String digest) throws Refused, InterruptedException {
    HttpResponse<InputStream> answer = ask("GET", uri("/blobs/" + digest), "*/*");
    try {
      require(answer, digest);
    } catch (Refused e) {
      close(answer);
      throw e;
    }
    return budget.counted(answer.body());
  }

  /** What a failed read means. */
  Refused unreachable(IOException e) {
    if (e instanceof Budget.Exceeded) {
      return Refused.lasting(
          "oci",
          reference.toString(),
          "has more than %d bytes".formatted(spec.limits().downloadBytes()),
          "publish a smaller artifact");
    }
    String why =
        end.isCompletedExceptionally()
            ? "did not end within %d s".formatted(spec.limits().time().toSeconds())
            : "cannot be fetched (%s)".formatted(e.getMessage() == null ? e : e.getMessage());
    return Refused.passing(
        "oci", reference.toString(), why, "check the host, the network and the certificates");
  }

  private URI uri(String rest) {
    return URI.create(
        (spec.plainHttp() ? "http://" : "https://")
            + reference.endpoint()
            + "/v2/"
            + reference.repository()
            + rest);
  }

  private HttpResponse<InputStream> ask(String method, URI uri, String accept)
      throws Refused, InterruptedException {
    URI at = uri;
    boolean isKnown = false;
    for (int hop = 0; hop <= MOST_HOPS; hop++) {
      boolean isOwn = uri.getAuthority().equals(at.getAuthority());
      HttpResponse<InputStream> answer = send(method, at, accept, isOwn ? authorization : "");
      String to = answer.headers().firstValue("Location").orElse("");
      switch (answer.statusCode()) {
        case 301, 302, 303, 307, 308 -> {
          close(answer);
          at = redirected(at, to);
        }
        case 401 -> {
          if (isKnown || !isOwn) {
            return answer;
          }
          isKnown = true;
          close(answer);
          logIn(answer.headers().firstValue("WWW-Authenticate").orElse(""));
          at = uri;
        }
        default -> {
          return answer;
        }
      }
    }
    throw Refused.passing(
        "oci",
        reference.toString(),
        "redirects more than %d times".formatted(MOST_HOPS),
        "check the registry");
  }

  private URI redirected(URI from, String to) throws Refused {
    try {
      URI target = from.resolve(to);
      boolean isAllowed =
          "https".equals(target.getScheme())
              || spec.plainHttp() && "http".equals(target.getScheme());
      if (!to.isEmpty() && isAllowed && target.getHost() != null) {
        return target;
      }
    } catch (IllegalArgumentException e) {
      // Said below.
    }
    throw Refused.passing(
        "oci", reference.toString(), "redirects to no address with TLS", "check the registry");
  }

  private HttpResponse<InputStream> send(String method, URI uri, String accept, String authorized)
      throws Refused, InterruptedException {
    spec.limits().reach().require("oci", uri.getScheme(), uri.getHost());
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(ANSWER);
    request.method(method, HttpRequest.BodyPublishers.noBody());
    request.header("Accept", accept).header("User-Agent", "exaplane");
    if (!authorized.isEmpty()) {
      request.header("Authorization", authorized);
    }
    try {
      return http.send(request.build(), BodyHandlers.ofInputStream());
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  /** Answers a challenge: by name and password, or by a token from where the registry says. */
  private void logIn(String challenge) throws Refused, InterruptedException {
    if (challenge.regionMatches(true, 0, "Basic", 0, 5)) {
      authorization = basic();
      return;
    }
    String realm = "";
    String query = "";
    Matcher parameters = PARAMETER.matcher(challenge);
    while (parameters.find()) {
      String name = parameters.group(1);
      if (name.equals("realm")) {
        realm = parameters.group(2);
      } else if (name.equals("service") || name.equals("scope")) {
        query += "&" + name + "=" + URLEncoder.encode(parameters.group(2), StandardCharsets.UTF_8);
      }
    }
    if (!challenge.regionMatches(true, 0, "Bearer", 0, 6) || realm.isEmpty()) {
      throw Refused.lasting(
          "oci",
          reference.toString(),
          "asks for a login of an unknown kind",
          "use another registry");
    }
    URI at = redirected(uri(""), realm + (query.isEmpty() ? "" : "?" + query.substring(1)));
    HttpResponse<InputStream> answer = send("GET", at, "application/json", basic());
    try (InputStream body = answer.body()) {
      require(answer, "token");
      byte[] bytes = budget.counted(body).readNBytes(MOST_TOKEN + 1);
      if (bytes.length > MOST_TOKEN) {
        throw Refused.passing(
            "oci",
            reference.toString(),
            "is answered with a token above 64 KiB",
            "check the registry and the login");
      }
      JsonNode token = json.readTree(bytes);
      String word = token.path("token").asText(token.path("access_token").asText(""));
      if (word.isEmpty() || word.chars().anyMatch(c -> c <= ' ' || c >= 0x7f)) {
        throw Refused.passing(
            "oci", reference.toString(), "gives no token", "check the registry and the login");
      }
      authorization = "Bearer " + word;
    } catch (JsonProcessingException e) {
      // Without the words of the parser, which may quote the token.
      throw Refused.passing(
          "oci",
          reference.toString(),
          "is answered with a token that is not JSON",
          "check the registry and the login");
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  private String basic() {
    Login login = spec.login();
    byte[] both = (login.user() + ":" + login.password()).getBytes(StandardCharsets.UTF_8);
    return login.isNone() ? "" : "Basic " + Base64.getEncoder().encodeToString(both);
  }

  private void require(HttpResponse<InputStream> answer, String what) throws Refused {
    int status = answer.statusCode();
    if (status == 200) {
      return;
    }
    String shown = reference.toString();
    if (status == 401 || status == 403) {
      throw Refused.lasting(
          "oci",
          shown,
          "is not open to " + (spec.login().isNone() ? "callers without a login" : "this login"),
          "check the repository's name, and the login");
    }
    if (status == 404) {
      throw Refused.missing(
          "oci",
          shown,
          "does not exist: the registry has no %s".formatted(what),
          "check repository, tag and digest");
    }
    throw Refused.passing(
        "oci", shown, "is answered with HTTP %d".formatted(status), "check the registry");
  }

  private static void close(HttpResponse<InputStream> answer) {
    try {
      answer.body().close();
    } catch (IOException e) {
      // Nobody reads that answer any more.
      return;
    }
  }

  @Override
  public void close() {
    end.complete(null);
    http.shutdownNow();
  }
}
