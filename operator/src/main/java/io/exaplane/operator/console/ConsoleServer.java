// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import io.exaplane.operator.console.Door.Known;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * The routes. A request waits for the API server in a virtual thread, never in an event loop; at
 * most 64 do beside the streams, and the others are told to come again. Thread-safe.
 */
final class ConsoleServer {
  /** __Host-: of this host only, over TLS only, for all paths. */
  static final String COOKIE = "__Host-exaplane-console";

  /** Scripts, styles and connections of this origin only; nothing inline; in nobody's frame. */
  static final String POLICY =
      String.join(
          "; ",
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          "img-src 'self'",
          "connect-src 'self'",
          "form-action 'self'",
          "frame-ancestors 'none'",
          "base-uri 'none'");

  private static final int MOST_REQUESTS = 64;
  private static final int MOST_BODY_BYTES = 16 << 10;
  private static final Logger LOG = Logger.getLogger(ConsoleServer.class);

  private final Door door;
  private final Pages pages;
  private final Assets assets;
  private final FleetPage fleetPage;
  private final PlanePage planePage;
  private final Streams streams;
  private final Executor executor;
  private final Semaphore requests = new Semaphore(MOST_REQUESTS);

  ConsoleServer(
      Door door, Pages pages, Assets assets, Fleet fleet, Streams streams, Executor executor) {
    this.door = door;
    this.pages = pages;
    this.assets = assets;
    this.fleetPage = new FleetPage(fleet);
    this.planePage = new PlanePage(fleet);
    this.streams = streams;
    this.executor = executor;
  }

  void addTo(Router router) {
    router.route().handler(ConsoleServer::secure);
    router.get("/assets/:name").handler(this::asset);
    router.get("/login").handler(ctx -> html(ctx, 200, pages.login("")));
    router.post().handler(ConsoleServer::sameOrigin);
    router
        .post("/login")
        .handler(BodyHandler.create(false).setBodyLimit(MOST_BODY_BYTES))
        .handler(ctx -> apart(ctx, this::login));
    router.post("/logout").handler(this::logout);
    router.get("/").handler(ctx -> apart(ctx, this::fleet));
    router.get("/events").handler(ctx -> apart(ctx, this::fleetEvents));
    router.get("/controlplanes/:namespace/:name").handler(ctx -> apart(ctx, this::plane));
    router
        .get("/controlplanes/:namespace/:name/events")
        .handler(ctx -> apart(ctx, this::planeEvents));
    router.errorHandler(
        404, ctx -> html(ctx, 404, pages.message("Not found", "There is no such page.")));
  }

  private static void secure(RoutingContext ctx) {
    ctx.response()
        .putHeader("Content-Security-Policy", POLICY)
        .putHeader("X-Content-Type-Options", "nosniff")
        .putHeader("Referrer-Policy", "same-origin")
        .putHeader("Cross-Origin-Opener-Policy", "same-origin")
        .putHeader("Cross-Origin-Resource-Policy", "same-origin")
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    ctx.next();
  }

  /**
   * Refuses a form that another site sends: the cookie is SameSite=Strict, and a browser names the
   * origin of each POST.
   */
  private static void sameOrigin(RoutingContext ctx) {
    String origin = ctx.request().getHeader("Origin");
    String host = ctx.request().authority() == null ? "" : ctx.request().authority().toString();
    if (origin != null && origin.equalsIgnoreCase("https://" + host)) {
      ctx.next();
    } else {
      ctx.response().setStatusCode(403).end("The form must come from the console itself.\n");
    }
  }

  /** Runs a handler in a thread that may block. */
  private void apart(RoutingContext ctx, Consumer<RoutingContext> handler) {
    if (!requests.tryAcquire()) {
      busy(ctx, "Too many requests are under way. Load the page again in a few seconds.");
      return;
    }
    executor.execute(
        () -> {
          try {
            handler.accept(ctx);
          } catch (Reviews.Unreachable e) {
            LOG.debug("a page of the console waits for the API server", e);
            busy(
                ctx,
                "The API server of the management cluster does not answer, so your rights are not"
                    + " known. Load the page again in a minute.");
          } catch (RuntimeException e) {
            LOG.warn("a page of the console failed", e);
            html(
                ctx,
                500,
                pages.message(
                    "The page failed", "Load the page again. The operator's log has the cause."));
          } finally {
            requests.release();
          }
        });
  }

  private void busy(RoutingContext ctx, String text) {
    ctx.response().putHeader(HttpHeaders.RETRY_AFTER, "5");
    html(ctx, 503, pages.message("Not now", text));
  }

  private static void html(RoutingContext ctx, int status, String text) {
    if (ctx.response().ended() || ctx.response().headWritten()) {
      return;
    }
    ctx.response()
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/html; charset=utf-8")
        .end(text);
  }

  private void asset(RoutingContext ctx) {
    assets
        .get(ctx.pathParam("name"))
        .ifPresentOrElse(
            asset ->
                ctx.response()
                    .putHeader(HttpHeaders.CONTENT_TYPE, asset.type())
                    .putHeader(HttpHeaders.CACHE_CONTROL, "private, max-age=300")
                    .end(io.vertx.core.buffer.Buffer.buffer(asset.bytes())),
            ctx::next);
  }

  private void login(RoutingContext ctx) {
    String token = ctx.request().getFormAttribute("token");
    switch (door.login(token == null ? "" : token.strip(), address(ctx))) {
      case Known known ->
          door.cookie(known)
              .ifPresentOrElse(
                  value -> {
                    setCookie(ctx, value, Seal.SESSION.toSeconds());
                    seeOther(ctx, "/");
                  },
                  () ->
                      html(
                          ctx,
                          400,
                          pages.login(
                              "The token is too long for a cookie. Run 'kubectl exaplane console',"
                                  + " which needs no cookie.")));
      case Door.Stranger _ ->
          html(
              ctx,
              401,
              pages.login(
                  "The API server of the management cluster does not accept this token. Get a new"
                      + " one, for example with 'kubectl create token', and try again."));
      case Door.Limited _ -> limited(ctx);
    }
  }

  private void limited(RoutingContext ctx) {
    ctx.response()
        .putHeader(HttpHeaders.RETRY_AFTER, Long.toString(FailedLogins.WINDOW.toSeconds()));
    html(ctx, 429, pages.login("Too many tokens were wrong. Wait for a minute, and try again."));
  }

  private void logout(RoutingContext ctx) {
    setCookie(ctx, "", 0);
    seeOther(ctx, "/login");
  }

  private static void setCookie(RoutingContext ctx, String value, long seconds) {
    ctx.response()
        .addCookie(
            Cookie.cookie(COOKIE, value)
                .setPath("/")
                .setSecure(true)
                .setHttpOnly(true)
                .setSameSite(CookieSameSite.STRICT)
                .setMaxAge(seconds));
  }

  private static void seeOther(RoutingContext ctx, String path) {
    ctx.response().setStatusCode(303).putHeader(HttpHeaders.LOCATION, path).end();
  }

  private static String address(RoutingContext ctx) {
    return ctx.request().remoteAddress() == null ? "" : ctx.request().remoteAddress().hostAddress();
  }

  /** Whoever is at the door, if they are known; else the answer is given. */
  private Optional<Known> known(RoutingContext ctx) {
    Cookie cookie = ctx.request().getCookie(COOKIE);
    String authorization = ctx.request().getHeader(HttpHeaders.AUTHORIZATION);
    return switch (door.who(
        authorization, cookie == null ? null : cookie.getValue(), address(ctx))) {
      case Known known -> Optional.of(known);
      case Door.Limited _ -> {
        limited(ctx);
        yield Optional.empty();
      }
      case Door.Stranger _ -> {
        boolean isPage = authorization == null && !ctx.request().path().endsWith("/events");
        if (isPage) {
          seeOther(ctx, "/login");
        } else {
          html(ctx, 401, pages.login("Your session is over. Sign in again."));
        }
        yield Optional.empty();
      }
    };
  }

  private void fleet(RoutingContext ctx) {
    known(ctx)
        .ifPresent(
            known ->
                html(
                    ctx,
                    200,
                    pages.page(
                        "Control planes",
                        "/events",
                        known.viewer().name(),
                        fleetPage.sections(right -> door.may(known, right)))));
  }

  private void plane(RoutingContext ctx) {
    known(ctx)
        .ifPresent(
            known ->
                planeSections(ctx, known)
                    .ifPresentOrElse(
                        sections ->
                            html(
                                ctx,
                                200,
                                pages.page(
                                    ctx.pathParam("namespace") + "/" + ctx.pathParam("name"),
                                    // Not the path of the request, which may begin with two
                                    // slashes.
                                    "/controlplanes/%s/%s/events"
                                        .formatted(
                                            ctx.pathParam("namespace"), ctx.pathParam("name")),
                                    known.viewer().name(),
                                    sections)),
                        () -> html(ctx, 404, pages.message("Not found", notFound(ctx)))));
  }

  private static String notFound(RoutingContext ctx) {
    return "There is no ControlPlane %s in the namespace %s, or you may not get it. Check both names, or ask the administrator of the management cluster for the right to get controlplanes."
        .formatted(ctx.pathParam("name"), ctx.pathParam("namespace"));
  }

  private Optional<List<Section>> planeSections(RoutingContext ctx, Known known) {
    return planePage.sections(
        ctx.pathParam("namespace"), ctx.pathParam("name"), right -> door.may(known, right));
  }

  private void fleetEvents(RoutingContext ctx) {
    known(ctx)
        .ifPresent(
            known ->
                stream(
                    ctx,
                    known,
                    "",
                    () ->
                        door.isKnown(known)
                            ? Optional.of(fleetPage.sections(right -> door.may(known, right)))
                            : Optional.empty()));
  }

  private void planeEvents(RoutingContext ctx) {
    known(ctx)
        .ifPresent(
            known ->
                stream(ctx, known, ctx.pathParam("namespace"), () -> planeSections(ctx, known)));
  }

  private void stream(RoutingContext ctx, Known known, String namespace, Streams.Source source) {
    String user = known.viewer().name();
    if (!streams.enter(user)) {
      busy(ctx, "Too many pages are open. Close one of them.");
      return;
    }
    HttpServerResponse response = ctx.response();
    response
        .setChunked(true)
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
        .putHeader("X-Accel-Buffering", "no");
    executor.execute(
        () -> {
          try {
            streams.serve(namespace, source, new ResponseSink(response));
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } catch (Reviews.Unreachable e) {
            LOG.debug("a stream of the console ends until rights are known again", e);
          } catch (RuntimeException e) {
            LOG.warn("a stream of the console failed; the browser opens another one", e);
          } finally {
            streams.leave(user);
            if (!response.closed() && !response.ended()) {
              response.end();
            }
          }
        });
  }

  /** A browser at the other end. One that reads nothing for half a minute is left alone. */
  private static final class ResponseSink implements Streams.Sink {
    private static final long MOST_NANOS = 30_000_000_000L;
    private final HttpServerResponse response;
    private long fullSince;

    ResponseSink(HttpServerResponse response) {
      this.response = response;
    }

    @Override
    public boolean isOpen() {
      boolean isStuck = fullSince != 0 && System.nanoTime() - fullSince > MOST_NANOS;
      return !isStuck && !response.closed() && !response.ended();
    }

    @Override
    public boolean send(String text) {
      if (response.writeQueueFull()) {
        fullSince = fullSince == 0 ? System.nanoTime() : fullSince;
        return false;
      }
      fullSince = 0;
      response.write(text);
      return true;
    }
  }
}
