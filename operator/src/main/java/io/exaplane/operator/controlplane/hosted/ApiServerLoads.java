// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import io.exaplane.operator.controlplane.rollout.ServerLoad;
import java.util.Map;

/**
 * How busy the newest kube-apiservers of a rollout are. Immutable.
 *
 * @param loads by the pod's UID; without those that do not answer
 */
public record ApiServerLoads(Map<String, ServerLoad> loads) {}
