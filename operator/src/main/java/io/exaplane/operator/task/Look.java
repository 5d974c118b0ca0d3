// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.StoreShard;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.Optional;

/**
 * What a task is judged by, besides itself. Immutable.
 *
 * @param deployment of the component that is restarted
 * @param shard the store that is restarted
 * @param set of that store
 * @param administrators the group that has the administrator's rights inside the hosted cluster;
 *     empty while nobody knows
 */
record Look(
    ControlPlane controlPlane,
    Optional<Deployment> deployment,
    Optional<StoreShard> shard,
    Optional<StatefulSet> set,
    Optional<String> administrators) {}
