// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.usage;

import io.exaplane.api.v1alpha1.StoreRecovered;
import java.time.Instant;

/**
 * What a store measured.
 *
 * @param durableRevision null if the store does not say it
 * @param load bytes of a kube-apiserver's memory; null if the store does not say it
 * @param loadQuota null if there is none
 * @param recovered null if the store does not say it
 */
public record StoreFigures(
    long revision,
    Long durableRevision,
    long compactedRevision,
    long keys,
    long bytes,
    long quota,
    Long load,
    Long loadQuota,
    long watchers,
    Instant started,
    StoreRecovered recovered) {
  static StoreFigures of(StorePage page) {
    return new StoreFigures(
        page.revision(),
        page.durableRevision(),
        page.compactedRevision(),
        page.keys(),
        page.bytes(),
        page.quotaBytes(),
        page.load().bytes(),
        page.load().quotaBytes(),
        page.watchers(),
        Instant.ofEpochSecond(page.startedSeconds()),
        page.recovered());
  }
}
