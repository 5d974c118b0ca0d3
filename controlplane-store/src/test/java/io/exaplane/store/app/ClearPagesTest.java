// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.api.StoreUsage;
import io.exaplane.store.app.metrics.HealthCounts;
import io.exaplane.store.app.metrics.Scrapes;
import io.exaplane.store.core.kind.WriteAges;
import io.exaplane.store.wire.page.PageAnswer;
import io.exaplane.store.wire.page.PageRequest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@code --clear-pages} shows to whom, page by page (7., line 7). */
class ClearPagesTest {
  private static final List<String> HEALTH =
      List.of("/health", "/livez", "/readyz", "/readyz?verbose", "/readyz/linearizable_read");
  private static final List<String> METRICS =
      List.of("/metrics", "/ages?prefix=/registry/leases/&ms=1000");
  private static final List<String> USAGE = List.of("/usage", "/usage?top=3");

  private final HttpPages pages =
      new HttpPages(
          new HealthPages(new JournalHealth(() -> false, () -> 0), () -> false, new HealthCounts()),
          new Scrapes(() -> "# no metrics\n"),
          () -> CompletableFuture.completedFuture(new StoreUsage(0, 0, 0, 0, List.of(), List.of())),
          (prefix, _) ->
              CompletableFuture.completedFuture(
                  Optional.of(
                      new WriteAges.Answer(
                          prefix, 3, 0, 4, 1000, List.of(new WriteAges.Unwritten(1000, 2))))),
          null);

  private int status(ClearPages shown, boolean isFromHere, String target) throws Exception {
    CompletableFuture<PageAnswer> answer = new CompletableFuture<>();
    pages.forProbes(shown).answer(PageRequest.of("GET", target, "", isFromHere), answer::complete);
    return answer.get(2, TimeUnit.MINUTES).status();
  }

  @ParameterizedTest
  @EnumSource(ClearPages.class)
  void othersSeeWhatIsShown(ClearPages shown) throws Exception {
    for (String page : HEALTH) {
      assertThat(status(shown, false, page)).as(page).isEqualTo(200);
    }
    int unknown = status(ClearPages.ALL, false, "/nowhere");
    assertThat(unknown).isEqualTo(404);
    for (String page : METRICS) {
      assertThat(status(shown, false, page))
          .as(page)
          .isEqualTo(shown == ClearPages.HEALTH ? unknown : 200);
    }
    for (String page : USAGE) {
      assertThat(status(shown, false, page))
          .as(page)
          .isEqualTo(shown == ClearPages.ALL ? 200 : unknown);
    }
  }

  /** A probe by exec, or a person in the pod. */
  @ParameterizedTest
  @EnumSource(ClearPages.class)
  void thisMachineSeesAll(ClearPages shown) throws Exception {
    for (String page : List.of("/readyz", "/metrics", "/usage")) {
      assertThat(status(shown, true, page)).as(page).isEqualTo(200);
    }
  }

  @Test
  void aPageThatIsNotShownIsNotFoundByOtherSpellings() throws Exception {
    for (String page : List.of("/usage", "/%75sage", "/usage?", "/usage?top=1&a=%2e")) {
      assertThat(status(ClearPages.METRICS, false, page)).as(page).isEqualTo(404);
    }
    for (String page : List.of("//usage", "/a/../usage", "/usage/")) {
      assertThat(status(ClearPages.METRICS, false, page)).as(page).isIn(307, 404);
    }
  }
}
