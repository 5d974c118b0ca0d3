// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.move;

import io.exaplane.store.api.MoveSum;
import io.exaplane.store.api.MovedPage;
import io.exaplane.store.api.StoreMoves;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.kind.PrefixRule;
import io.exaplane.store.move.Move;
import io.exaplane.store.move.MoveException;
import io.exaplane.store.wire.page.JsonText;
import io.exaplane.store.wire.page.PageAnswer;
import io.exaplane.store.wire.page.PageRequest;
import io.exaplane.store.wire.page.Pages;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The pages {@code /moves} and {@code /moves/…} of a store: what it tells another store of a Kind,
 * takes in from another store, and where each move stands. Errors are one line of text: what, the
 * value, the next action. Any thread; waits for nothing.
 */
public final class MovePages implements Pages {
  private static final System.Logger LOG = System.getLogger(MovePages.class.getName());

  private static final String ROOT = "/moves";
  private static final String JSON = "application/json";
  private static final String GET = "GET";
  private static final String POST = "POST";

  /** Longer than what a page does on a disk that answers; the client asks again. */
  private static final long PATIENCE_S = 60;

  private static final Set<String> PREFIX = Set.of("prefix");
  private static final Set<String> MOVE = Set.of("id", "prefix");

  /** What a page does; a question that breaks a rule fails with a {@link MoveException}. */
  private interface Work {
    CompletableFuture<PageAnswer> answer(Question question);
  }

  private record Page(String method, Set<String> parameters, boolean readsBody, Work work) {}

  private final StoreMoves moves;
  private final Movers movers;
  private final String clusterId;
  private final Map<String, Page> pages = new LinkedHashMap<>();

  /**
   * @param moves what the pages ask
   * @param clusterId of the store, for who wants to know whether it is still the same one
   */
  public MovePages(StoreMoves moves, Movers movers, long clusterId) {
    this.moves = moves;
    this.movers = movers;
    this.clusterId = Long.toHexString(clusterId);
    pages.put(ROOT, new Page(GET, Set.of(), false, _ -> moves.all().thenApply(this::all)));
    addExport();
    addImport();
  }

  private void addExport() {
    pages.put(
        ROOT + "/page",
        new Page(
            GET,
            Set.of("prefix", "after"),
            false,
            asked ->
                moves
                    .page(asked.prefix(), asked.after(asked.prefix()))
                    .thenApply(MovePages::records)));
    pages.put(
        ROOT + "/changes",
        new Page(
            GET,
            Set.of("prefix", "after", "waitMs"),
            false,
            asked ->
                moves
                    .changes(asked.prefix(), asked.after(), asked.waitMs())
                    .thenApply(MovePages::records)));
    pages.put(
        ROOT + "/sum",
        new Page(
            GET,
            PREFIX,
            false,
            asked ->
                moves
                    .sum(asked.prefix())
                    .orTimeout(PATIENCE_S, TimeUnit.SECONDS) // nobody waits longer: it ends
                    .thenApply(MovePages::sum)));
    step("freeze", MOVE, asked -> moves.freeze(asked.prefix(), asked.id()));
    step("thaw", MOVE, asked -> moves.thaw(asked.prefix(), asked.id()));
    step(
        "leave",
        Set.of("id", "prefix", "revision"),
        asked -> moves.leave(asked.prefix(), asked.id(), asked.frozenAt()));
    step(
        "clear",
        Set.of("id", "prefix", "finished"),
        asked -> moves.clear(asked.prefix(), asked.id(), asked.finished()));
  }

  private void addImport() {
    step(
        "arrive",
        Set.of("id", "prefix", "above", "finished"),
        asked -> moves.arrive(asked.prefix(), asked.id(), asked.above(), asked.finished()));
    step(
        "finish",
        Set.of("id", "prefix", "keys", "sha256", "above"),
        asked ->
            moves.finish(asked.prefix(), asked.id(), asked.keys(), asked.sha256(), asked.above()));
    step("abandon", MOVE, asked -> moves.abandon(asked.prefix(), asked.id()));
    pages.put(
        ROOT + "/take",
        new Page(
            POST,
            MOVE,
            true,
            asked ->
                moves
                    .take(asked.prefix(), asked.id(), asked.request().body())
                    .thenApply(MovePages::revision)));
  }

  /** A page that changes something and answers with a revision. */
  private void step(
      String name, Set<String> parameters, Function<Question, CompletableFuture<Long>> work) {
    pages.put(
        ROOT + "/" + name,
        new Page(
            POST, parameters, false, asked -> work.apply(asked).thenApply(MovePages::revision)));
  }

  /** Whether a path, without its query, is one of these. */
  public boolean has(String path) {
    return path.equals(ROOT) || path.startsWith(ROOT + "/");
  }

  @Override
  public int mostBodyBytes(String target) {
    try { // decoded, as it is answered
      String path = PageRequest.of(POST, target, "", false).path();
      return path.startsWith(ROOT + "/") ? StoreMoves.MOST_BODY_BYTES : USUAL_BODY_BYTES;
    } catch (IllegalArgumentException e) {
      return USUAL_BODY_BYTES;
    }
  }

  @Override
  public void answer(PageRequest request, Consumer<PageAnswer> to) {
    Optional<PageAnswer> refusal = movers.refusal(request);
    if (refusal.isPresent()) {
      to.accept(refusal.get());
      return;
    }
    Page page = pages.get(request.path());
    if (page == null) {
      to.accept(unknown(request.path()));
    } else if (!request.method().equals(page.method())) {
      to.accept(otherMethod(request, page));
    } else {
      work(page, new Question(request))
          .copy() // whoever made it goes on, and ends what it began
          .orTimeout(PATIENCE_S, TimeUnit.SECONDS)
          .whenComplete((answer, why) -> to.accept(why == null ? answer : failed(request, why)));
    }
  }

  private static CompletableFuture<PageAnswer> work(Page page, Question question) {
    try {
      question.allow(page.parameters());
      if (!page.readsBody()) {
        question.allowNoBody();
      }
      return page.work().answer(question);
    } catch (MoveException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static PageAnswer unknown(String path) {
    return PageAnswer.text(
        404,
        "path: '%s' is no page of moves; ask for %s, or a page below it that DESIGN.md of the store names\n"
            .formatted(Question.shown(path), ROOT));
  }

  private static PageAnswer otherMethod(PageRequest request, Page page) {
    PageAnswer text =
        PageAnswer.text(
            405,
            "method: '%s' is not for %s; ask with %s\n"
                .formatted(Question.shown(request.method()), request.path(), page.method()));
    Map<String, String> headers = new LinkedHashMap<>(text.headers());
    headers.put("allow", page.method());
    return new PageAnswer(405, headers, text.body());
  }

  private static PageAnswer failed(PageRequest request, Throwable why) {
    Throwable cause =
        why instanceof CompletionException && why.getCause() != null ? why.getCause() : why;
    return switch (cause) {
      case MoveException known -> PageAnswer.text(known.status(), known.getMessage() + "\n");
      case StoreException known ->
          PageAnswer.text(status(known), known.getMessage() + "; ask again in a second\n");
      case TimeoutException _ ->
          PageAnswer.text(
              503,
              "the store has not answered %s within %d s, and may still do it; ask again, and check the disk of the data folder if this persists\n"
                  .formatted(request.path(), PATIENCE_S));
      default -> {
        LOG.log(System.Logger.Level.ERROR, "a request about a move failed", cause);
        yield PageAnswer.text(
            500, "the store failed to answer %s; see its log\n".formatted(request.path()));
      }
    };
  }

  private static int status(StoreException why) {
    return why == StoreException.NO_SPACE
        ? 507
        : why.code() == StoreException.Code.RESOURCE_EXHAUSTED ? 429 : 503;
  }

  private static PageAnswer records(MovedPage page) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("content-type", "application/octet-stream");
    headers.put("x-exaplane-revision", Long.toString(page.revision()));
    page.next()
        .ifPresent(
            key ->
                headers.put(
                    "x-exaplane-next",
                    Base64.getUrlEncoder().withoutPadding().encodeToString(key)));
    page.keys().ifPresent(keys -> headers.put("x-exaplane-keys", Long.toString(keys)));
    return new PageAnswer(200, headers, page.records());
  }

  private static PageAnswer revision(long revision) {
    return PageAnswer.ok(JSON, "{\"revision\":%d}\n".formatted(revision));
  }

  private static PageAnswer sum(MoveSum sum) {
    return PageAnswer.ok(
        JSON,
        "{\"revision\":%d,\"keys\":%d,\"sha256\":\"%s\"}\n"
            .formatted(sum.revision(), sum.keys(), sum.sha256()));
  }

  private PageAnswer all(List<Move> all) {
    String text = all.stream().map(MovePages::text).collect(Collectors.joining(","));
    return PageAnswer.ok(JSON, answer(text));
  }

  private String answer(String all) {
    return "{\"revision\":%d,\"clusterId\":\"%s\",\"moves\":[%s],\"durability\":[%s]}\n"
        .formatted(
            moves.revision(),
            clusterId,
            all,
            moves.rules().stream().map(MovePages::text).collect(Collectors.joining(",")));
  }

  private static String text(PrefixRule rule) {
    return "{\"prefix\":%s,\"durability\":\"%s\"}"
        .formatted(
            JsonText.quoted(rule.prefix()), rule.durability().name().toLowerCase(Locale.ROOT));
  }

  private static String text(Move move) {
    return "{\"prefix\":%s,\"id\":%s,\"state\":\"%s\",\"revision\":%d}"
        .formatted(
            JsonText.quoted(move.prefix()),
            JsonText.quoted(move.id()),
            move.state(),
            move.revision());
  }
}
