// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.core.kind.WriteAges;
import io.exaplane.store.wire.page.PageAnswer;
import io.exaplane.store.wire.page.PageRequest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgesPageTest {
  private static final String LEASES = "/registry/leases/kube-node-lease/";

  private final AgesPage page =
      new AgesPage(
          (prefix, agesMs) ->
              CompletableFuture.completedFuture(
                  prefix.equals(LEASES)
                      ? Optional.of(
                          new WriteAges.Answer(
                              prefix,
                              100,
                              3,
                              412,
                              60_000,
                              Arrays.stream(agesMs)
                                  .mapToObj(ms -> new WriteAges.Unwritten(ms, ms / 1000))
                                  .toList()))
                      : Optional.empty()));

  private PageAnswer get(String uri) {
    AtomicReference<PageAnswer> answer = new AtomicReference<>();
    page.answer(PageRequest.of("GET", uri, "", true), answer::set);
    return answer.get();
  }

  @Test
  void itIsJson() {
    PageAnswer answer = get("/ages?prefix=" + LEASES + "&ms=37500&ms=900000");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(new String(answer.body(), StandardCharsets.UTF_8))
        .isEqualTo(
            """
            {"prefix":"/registry/leases/kube-node-lease/","keys":100,"restoredKeys":3,"writes":412,"countingMs":60000,"unwritten":[{"ms":37500,"keys":37},{"ms":900000,"keys":900}]}
            """);
  }

  @ParameterizedTest
  @CsvSource({
    "/ages, 400",
    "/ages?prefix=/a/, 400",
    "/ages?ms=1, 400",
    "/ages?prefix=/a/&ms=0, 400",
    "/ages?prefix=/a/&ms=-1, 400",
    "/ages?prefix=/a/&ms=1800001, 400",
    "/ages?prefix=/a/&ms=x, 400",
    "/ages?prefix=/a/&ms=1&ms=2&ms=3&ms=4&ms=5&ms=6&ms=7&ms=8&ms=9, 400",
    "/ages?prefix=/a/&ms=1800000, 404"
  })
  void badQuestionsAreRefused(String uri, int status) {
    assertThat(get(uri).status()).isEqualTo(status);
  }

  @Test
  void aStoreThatIsBusySaysSo() {
    AtomicReference<PageAnswer> answer = new AtomicReference<>();
    new AgesPage((_, _) -> CompletableFuture.failedFuture(new IllegalStateException()))
        .answer(PageRequest.of("GET", "/ages?prefix=/a/&ms=1", "", true), answer::set);
    assertThat(answer.get().status()).isEqualTo(503);
  }
}
