// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.config;

import io.javaoperatorsdk.operator.api.config.LeaderElectionConfiguration;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** One operator acts at a time; the Lease is in the operator's own namespace. */
class LeaderElection {
  static final String LEASE = "exaplane-operator";

  @Produces
  @Singleton
  LeaderElectionConfiguration configuration() {
    return new LeaderElectionConfiguration(LEASE);
  }
}
