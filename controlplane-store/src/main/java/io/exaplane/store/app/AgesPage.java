// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import io.exaplane.store.core.kind.WriteAges;
import io.exaplane.store.wire.page.JsonText;
import io.exaplane.store.wire.page.PageAnswer;
import io.exaplane.store.wire.page.PageRequest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What {@code /ages?prefix=PREFIX&ms=AGE&ms=AGE} says: how many keys below a prefix nobody wrote
 * for so long, and how many writes there were, as JSON; numbers only, never a key. Any thread;
 * waits for nothing.
 */
final class AgesPage {
  private static final String JSON = "application/json";
  private static final int MOST_AGES = 8;
  private static final long PATIENCE_MS = 2_000;
  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

  /** Whom the page asks. */
  interface Source {
    CompletableFuture<Optional<WriteAges.Answer>> ask(String prefix, long[] agesMs);
  }

  private final Source source;

  AgesPage(Source source) {
    this.source = source;
  }

  void answer(PageRequest request, Consumer<PageAnswer> to) {
    PageAnswer refusal = HttpPages.onlyGet(request, () -> question(request));
    if (refusal.status() != 200) {
      to.accept(refusal);
      return;
    }
    String prefix = prefix(request);
    source
        .ask(prefix, request.query().get("ms").stream().mapToLong(Long::parseLong).toArray())
        .orTimeout(PATIENCE_MS, TimeUnit.MILLISECONDS)
        .whenComplete(
            (found, failure) ->
                to.accept(
                    failure == null
                        ? found
                            .map(each -> PageAnswer.ok(JSON, text(each)))
                            .orElseGet(() -> unknown(prefix))
                        : PageAnswer.text(
                            503,
                            "the store waits for its disk, or too many ask; ask again in a few"
                                + " seconds\n")));
  }

  /** Status 200 if the question can be answered. */
  private static PageAnswer question(PageRequest request) {
    List<String> ages = request.query().getOrDefault("ms", List.of());
    boolean isAge =
        ages.stream()
            .allMatch(
                each ->
                    NUMBER.matcher(each).matches()
                        && Long.parseLong(each) >= 1
                        && Long.parseLong(each) <= WriteAges.LONGEST_MS);
    if (prefix(request).isEmpty() || ages.isEmpty() || ages.size() > MOST_AGES || !isAge) {
      return PageAnswer.text(
          400,
          "ask for /ages?prefix=PREFIX&ms=AGE with 1 to %d ages, each from 1 to %d milliseconds\n"
              .formatted(MOST_AGES, WriteAges.LONGEST_MS));
    }
    return PageAnswer.ok(JSON, "");
  }

  private static String prefix(PageRequest request) {
    return request.query().getOrDefault("prefix", List.of("")).getFirst();
  }

  private static PageAnswer unknown(String prefix) {
    return PageAnswer.text(
        404,
        "the store does not count the keys below %s; set --prefix-durability for this prefix\n"
            .formatted(JsonText.quoted(prefix)));
  }

  static String text(WriteAges.Answer keys) {
    return """
    {"prefix":%s,"keys":%d,"restoredKeys":%d,"writes":%d,"countingMs":%d,"unwritten":[%s]}
    """
        .formatted(
            JsonText.quoted(keys.prefix()),
            keys.keys(),
            keys.restoredKeys(),
            keys.writes(),
            keys.countingMs(),
            keys.unwritten().stream()
                .map(each -> "{\"ms\":%d,\"keys\":%d}".formatted(each.ms(), each.keys()))
                .collect(Collectors.joining(",")));
  }
}
