// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.wait;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Waits until each URL answers 200, then ends: the first container of every component's pod. It
 * loops with jitter where a crash-looping component would be held back by the kubelet for minutes,
 * and so that many components don't come at once when what they wait for is back.
 *
 * <p>Usage: {@code --ca FILE [--cert FILE --key FILE] [--release PER_MINUTE/PODS] URL…}, or {@code
 * --service NAME/PATH} in the place of a URL. Needs nothing but the JDK.
 */
public final class WaitForDependencies {
  /**
   * Variable with the pace at which pods start after an outage, as {@code 10/20}. It wins over the
   * argument, which a template of an older bundle may have.
   */
  public static final String RELEASE = "EXAPLANE_RELEASE";

  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);
  private static final long MIN_PAUSE_MS = 300;
  private static final long MAX_PAUSE_MS = 3_000;

  private WaitForDependencies() {}

  /** Ends with 0 when all have answered, with 2 on bad arguments; never for a failed request. */
  public static void main(String[] args) throws InterruptedException {
    try {
      Arguments arguments = Arguments.parse(args);
      arguments
          .release(System.getenv(RELEASE))
          .await(
              () -> waitForAll(arguments),
              WaitForDependencies::sleepForTurn,
              RandomGenerator.getDefault());
    } catch (IllegalArgumentException | IOException | GeneralSecurityException e) {
      System.err.println("error: " + e.getMessage());
      System.exit(2);
    }
  }

  /** Whether one did not answer at first. */
  private static boolean waitForAll(Arguments arguments)
      throws InterruptedException, IOException, GeneralSecurityException {
    boolean waited = false;
    for (URI url : arguments.urls()) {
      waited |= waitFor(url, arguments);
    }
    return waited;
  }

  private static void sleepForTurn(long pauseMs) {
    System.out.printf("all answer; starting in %d s, after others%n", pauseMs / 1_000);
    try {
      Thread.sleep(pauseMs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean waitFor(URI url, Arguments arguments)
      throws InterruptedException, IOException, GeneralSecurityException {
    String last = "";
    for (long pauseMs = MIN_PAUSE_MS; ; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 3 / 2)) {
      String problem = problem(url, arguments);
      if (problem.isEmpty()) {
        System.out.println(url + " answers");
        return !last.isEmpty();
      }
      if (!problem.equals(last)) {
        System.out.println("waiting for " + url + ": " + problem);
        last = problem;
      }
      Thread.sleep(jittered(pauseMs));
    }
  }

  /** Half of the pause to all of it, evenly spread. */
  private static long jittered(long pauseMs) {
    return pauseMs / 2 + RandomGenerator.getDefault().nextLong(pauseMs / 2 + 1);
  }

  /** A store that is full serves reads, and who deletes objects needs the apiserver. Pure. */
  static URI asked(URI url) {
    return "/health".equals(url.getPath()) && url.getQuery() == null
        ? URI.create(url + "?exclude=NOSPACE")
        : url;
  }

  /**
   * A page of a Service of the pod's namespace, by the variables that the kubelet sets: a cluster
   * without a DNS has these, too. Pure.
   *
   * @throws IllegalArgumentException if the Service did not exist when the pod started
   */
  static URI ofService(String nameAndPath, Map<String, String> environment) {
    int slash = nameAndPath.indexOf('/');
    String name = slash < 0 ? nameAndPath : nameAndPath.substring(0, slash);
    String variable = name.toUpperCase(Locale.ROOT).replace('-', '_') + "_SERVICE_";
    String host = environment.get(variable + "HOST");
    String port = environment.get(variable + "PORT");
    if (host == null || port == null) {
      throw new IllegalArgumentException(
          "--service %s: the Service %s did not exist in this namespace when the pod started; create the Service, then start another pod"
              .formatted(nameAndPath, name));
    }
    return URI.create(
        "http://%s:%s%s"
            .formatted(
                host.contains(":") ? "[" + host + "]" : host,
                port,
                slash < 0 ? "/" : nameAndPath.substring(slash)));
  }

  /** Why the URL does not answer 200; empty when it does. Certificates are read anew each time. */
  private static String problem(URI url, Arguments arguments)
      throws InterruptedException, IOException, GeneralSecurityException {
    try (HttpClient client =
        HttpClient.newBuilder()
            .sslContext(PemTls.context(arguments.ca(), arguments.certificate(), arguments.key()))
            .connectTimeout(REQUEST_TIMEOUT)
            .build()) {
      HttpResponse<Void> response =
          client.send(
              HttpRequest.newBuilder(asked(url)).timeout(REQUEST_TIMEOUT).build(),
              HttpResponse.BodyHandlers.discarding());
      return response.statusCode() == 200 ? "" : "status " + response.statusCode();
    } catch (IOException e) {
      return e.getClass().getSimpleName() + (e.getMessage() == null ? "" : ": " + e.getMessage());
    }
  }

  private record Arguments(
      String ca, String certificate, String key, Release release, List<URI> urls) {
    static Arguments parse(String[] args) {
      String ca = null;
      String certificate = null;
      String key = null;
      Release release = Release.AT_ONCE;
      List<URI> urls = new ArrayList<>();
      for (int i = 0; i < args.length; i++) {
        switch (args[i]) {
          case "--ca" -> ca = value(args, ++i);
          case "--cert" -> certificate = value(args, ++i);
          case "--key" -> key = value(args, ++i);
          case "--release" -> release = Release.parse(value(args, ++i));
          case "--service" -> urls.add(ofService(value(args, ++i), System.getenv()));
          default -> urls.add(URI.create(args[i]));
        }
      }
      if (ca == null || urls.isEmpty() || (certificate == null) != (key == null)) {
        throw new IllegalArgumentException(
            "usage: --ca FILE [--cert FILE --key FILE] [--release PER_MINUTE/PODS] URL…; got "
                + String.join(" ", args));
      }
      return new Arguments(ca, certificate, key, release, urls);
    }

    Release release(String variable) {
      return variable == null ? release : Release.parse(variable);
    }

    private static String value(String[] args, int index) {
      if (index >= args.length) {
        throw new IllegalArgumentException(args[index - 1] + " needs a value after it");
      }
      return args[index];
    }
  }
}
