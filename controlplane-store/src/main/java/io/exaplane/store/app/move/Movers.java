// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.move;

import io.exaplane.store.app.tls.Subject;
import io.exaplane.store.wire.page.PageAnswer;
import io.exaplane.store.wire.page.PageRequest;
import java.util.Optional;

/**
 * Who may move Kinds. Immutable.
 *
 * @param needsCertificate whether clients show certificates; else only this machine's are let in
 */
public record Movers(boolean needsCertificate) {
  /** The organization that the certificate of an operator has, as it moves Kinds. */
  public static final String ORGANIZATION = "exaplane:mover";

  private static final PageAnswer NO_MOVER =
      PageAnswer.text(
          403,
          "certificate: the pages below /moves are for clients whose certificate has O=%s in its subject; show such a certificate\n"
              .formatted(ORGANIZATION));
  private static final PageAnswer NOT_FROM_HERE =
      PageAnswer.text(
          403,
          "address: without clients' certificates the pages below /moves are for clients on the store's own machine; start the store with https URLs and --trusted-ca-file\n");

  /** Why a client may not ask; empty if it may. */
  Optional<PageAnswer> refusal(PageRequest request) {
    if (!needsCertificate) {
      return request.isFromHere() ? Optional.empty() : Optional.of(NOT_FROM_HERE);
    }
    boolean isMover =
        request
            .certificate()
            .filter(each -> Subject.values(each, "O").contains(ORGANIZATION))
            .isPresent();
    return isMover ? Optional.empty() : Optional.of(NO_MOVER);
  }
}
