// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import io.exaplane.operator.pki.Authorities;
import java.util.Optional;

/**
 * A hosted API as the operator reaches it. When any part but the rules changes the connections are
 * made anew.
 *
 * @param server URL of the API's Service
 * @param rules what its kubelets may serve
 * @param dataEpoch identity of the stores' data once every apiserver serves it; a watch that was
 *     opened on lost data would wait for revisions that come much later
 */
public record HostedApi(
    String server, Authorities authorities, ServingRules rules, Optional<String> dataEpoch) {}
