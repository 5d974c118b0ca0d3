// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.pki.PkiResult;
import io.exaplane.operator.status.News;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CertificateNewsTest {
  @Test
  void eachThingThatWasDoneIsAnEventOnce() {
    List<News> news =
        CertificateNews.of(
            Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1}"),
            result(List.of("demo-apiserver-pki"), List.of("ca: a second key is trusted"), true));
    assertThat(news)
        .extracting(News::reason)
        .containsExactly(Reason.CertificateRenewed, Reason.RotationStep, Reason.DataTakenOver);
    assertThat(news).noneMatch(News::warns);
    assertThat(news.getFirst().message()).endsWith("demo-apiserver-pki");
    assertThat(news.get(1).message()).isEqualTo("ca: a second key is trusted");
    assertThat(news.getLast().message()).contains("u-before");
  }

  /** The condition goes on to say whose the data was; the Event came with the take-over. */
  @Test
  void ofALookThatDidNothingThereIsNone() {
    assertThat(
            CertificateNews.of(
                Fixtures.controlPlane("{version: 1.36.3, maxNodes: 1}"),
                result(List.of(), List.of(), false)))
        .isEmpty();
  }

  private static PkiResult result(List<String> renewed, List<String> steps, boolean now) {
    return new PkiResult(
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Set.of(),
        renewed,
        Map.of(),
        Optional.of(new PkiResult.TakenOver("u-before", now)),
        List.of(),
        steps);
  }
}
