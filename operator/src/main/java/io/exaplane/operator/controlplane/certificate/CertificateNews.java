// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.certificate;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.retention.Retention;
import io.exaplane.operator.pki.PkiResult;
import io.exaplane.operator.status.News;
import java.util.ArrayList;
import java.util.List;

/** What people are told, as Events, of what a look at certificates did. Pure. */
public final class CertificateNews {
  private CertificateNews() {}

  /** The Events, in their order. */
  public static List<News> of(ControlPlane controlPlane, PkiResult pki) {
    List<News> news = new ArrayList<>();
    for (String secret : pki.renewed()) {
      news.add(new News(false, Reason.CertificateRenewed, "Issued new certificates for " + secret));
    }
    for (String step : pki.steps()) {
      news.add(new News(false, Reason.RotationStep, step));
    }
    pki.takenOver()
        .filter(PkiResult.TakenOver::now)
        .ifPresent(
            before ->
                news.add(
                    new News(
                        false,
                        Reason.DataTakenOver,
                        Retention.takenOver(controlPlane, before.uid()))));
    return news;
  }
}
