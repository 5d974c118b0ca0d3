// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import io.exaplane.store.api.StoreUsage;
import io.exaplane.store.app.metrics.Scrapes;
import io.exaplane.store.app.move.MovePages;
import io.exaplane.store.wire.page.PageAnswer;
import io.exaplane.store.wire.page.PageRequest;
import io.exaplane.store.wire.page.Pages;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The pages that probes and tools ask for beside gRPC, by any version of HTTP. What etcd has, too,
 * is answered as etcd 3.6 does: method, status, type and text. Any thread.
 */
final class HttpPages {
  private static final String JSON = "application/json";
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
  private static final String VERSION =
      "{\"etcdserver\":\"%s\",\"etcdcluster\":\"%s\",\"storage\":\"%s\"}";
  private static final long USAGE_PATIENCE_MS = 10_000;
  private static final PageAnswer NOT_FOUND = PageAnswer.text(404, "404 page not found\n");
  private static final PageAnswer NO_OPTIONS = new PageAnswer(200, Map.of(), new byte[0]);
  private static final PageAnswer NOT_YET =
      PageAnswer.text(
          503,
          "the store is still loading its data, or other requests wait for that; ask again in a few seconds\n");
  private static final PageAnswer NO_METRICS =
      PageAnswer.text(503, "the metrics can't be collected now; ask again in a few seconds\n");

  private final HealthPages health;
  private final Scrapes scrapes;
  private final Supplier<CompletableFuture<StoreUsage>> usage;
  private final AgesPage ages;
  private final MovePages moves;

  /**
   * @param usage asks who takes the space
   * @param ages asks when keys were written
   * @param moves what the ports of clients have beside
   */
  HttpPages(
      HealthPages health,
      Scrapes scrapes,
      Supplier<CompletableFuture<StoreUsage>> usage,
      AgesPage.Source ages,
      MovePages moves) {
    this.health = health;
    this.scrapes = scrapes;
    this.usage = usage;
    this.ages = new AgesPage(ages);
    this.moves = moves;
  }

  /** All pages, for the ports of clients. */
  Pages forClients() {
    return new Pages() {
      @Override
      public void answer(PageRequest request, Consumer<PageAnswer> to) {
        if (moves.has(request.path())) {
          moves.answer(request, to);
        } else if (request.method().equals("OPTIONS")) {
          to.accept(NO_OPTIONS);
        } else if (request.path().equals("/version")) {
          to.accept(onlyGet(request, HttpPages::version));
        } else {
          HttpPages.this.answer(request, ClearPages.ALL, to);
        }
      }

      @Override
      public int mostBodyBytes(String target) {
        return moves.mostBodyBytes(target);
      }
    };
  }

  /**
   * The pages of ports in the clear.
   *
   * @param shown to clients of other machines
   */
  Pages forProbes(ClearPages shown) {
    return (request, to) -> answer(request, request.isFromHere() ? ClearPages.ALL : shown, to);
  }

  private void answer(PageRequest request, ClearPages shown, Consumer<PageAnswer> to) {
    String clean = request.cleanPath();
    if (!clean.equals(request.path())) {
      to.accept(elsewhere(request, clean));
    } else if (clean.equals("/metrics") && shown.hasMetrics()) {
      metrics(request, to);
    } else if (clean.equals("/ages") && shown.hasMetrics()) {
      ages.answer(request, to);
    } else if (clean.equals("/usage") && shown.hasUsage()) {
      usage(request, to);
    } else {
      to.accept(health.answer(request).orElse(NOT_FOUND));
    }
  }

  /** As Go's servers answer who asks for {@code //health}. */
  private static PageAnswer elsewhere(PageRequest request, String path) {
    if (path.chars().anyMatch(each -> each < ' ' || each == 0x7f)) {
      return PageAnswer.text(400, "400 Bad Request\n"); // no header can carry such a path
    }
    boolean isRead = request.method().equals("GET") || request.method().equals("HEAD");
    if (!isRead) {
      return new PageAnswer(307, Map.of("location", path), new byte[0]);
    }
    String type = "text/html; charset=utf-8";
    String body = "<a href=\"%s\">Temporary Redirect</a>.\n\n".formatted(path);
    return new PageAnswer(
        307, Map.of("location", path, "content-type", type), PageAnswer.ok(type, body).body());
  }

  /** Refuses all methods but one, as etcd does for every page but metrics. */
  static PageAnswer onlyGet(PageRequest request, Supplier<PageAnswer> answer) {
    if (request.method().equals("GET")) {
      return answer.get();
    }
    PageAnswer refusal = PageAnswer.text(405, "Method Not Allowed\n");
    return new PageAnswer(
        405,
        Map.of(
            "allow",
            "GET",
            "content-type",
            "text/plain; charset=utf-8",
            "x-content-type-options",
            "nosniff"),
        refusal.body());
  }

  private static PageAnswer version() {
    String minor = StoreConfig.ETCD_VERSION.replaceFirst("\\.\\d+$", ".0");
    return PageAnswer.ok(JSON, VERSION.formatted(StoreConfig.ETCD_VERSION, minor, minor));
  }

  private void metrics(PageRequest request, Consumer<PageAnswer> to) {
    boolean isZipped = request.accepts("gzip");
    boolean isTaken =
        scrapes.ask(
            scrape -> {
              if (scrape == null) {
                to.accept(NO_METRICS);
              } else if (isZipped) {
                to.accept(
                    new PageAnswer(
                        200,
                        Map.of("content-type", PROMETHEUS, "content-encoding", "gzip"),
                        scrape.gzip()));
              } else {
                to.accept(new PageAnswer(200, Map.of("content-type", PROMETHEUS), scrape.page()));
              }
            });
    if (!isTaken) {
      to.accept(NO_METRICS);
    }
  }

  private void usage(PageRequest request, Consumer<PageAnswer> to) {
    PageAnswer refusal = onlyGet(request, () -> NOT_YET);
    if (refusal.status() != NOT_YET.status()) {
      to.accept(refusal);
      return;
    }
    int top = UsagePage.top(request);
    usage
        .get()
        .orTimeout(USAGE_PATIENCE_MS, TimeUnit.MILLISECONDS)
        .whenComplete(
            (found, failure) ->
                to.accept(
                    failure == null ? PageAnswer.ok(JSON, UsagePage.text(found, top)) : NOT_YET));
  }
}
