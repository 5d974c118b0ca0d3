// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** Reasons of conditions and of Events. */
public enum Reason {
  // General
  AsExpected,
  Creating,
  RollingOut,
  Upgrading,
  WaitingForStores,
  WaitingForEndpoint,
  WaitingForAPIServer,
  WaitingForCertificates,
  Unavailable,
  PartlyAvailable,
  NotReached,
  Unauthorized,
  // Configuration
  UnsupportedVersion,
  UnknownResource,
  UnroutableResource,
  ClusterTooLarge,
  HostBitsSet,
  HostNotAnAddress,
  InvalidPausedUntil,
  UnknownFlag,
  UnknownFeatureGate,
  LockedFeatureGate,
  InvalidFeatureGates,
  InvalidCIDR,
  InvalidSizing,
  // Sizing
  ReshardNeeded,
  LargerThanAnyNode,
  LimitsExceeded,
  Overridden,
  ChangeDelayed,
  // Schedulers
  ControlPlaneMissing,
  WaitingForControlPlane,
  KubeconfigSecretMissing,
  InvalidKubeconfig,
  InvalidResources,
  WaitingForPool,
  DuplicateSchedulerName,
  NobodyInCharge,
  NotInStep,
  AnotherInCharge,
  PoolInCharge,
  PoolUnavailable,
  FallbackInCharge,
  NoShards,
  MembersMissing,
  FewShards,
  OperatorUpdatePending,
  // Certificates
  CASecretMissing,
  CASecretInvalid,
  CertificateExpired,
  CertificateRenewed,
  // Stores
  StoreUnavailable,
  StoreDataLost,
  TLSSecretMissing,
  JournalStalled,
  SpaceExceeded,
  PrefixSpaceExceeded,
  SpaceScarce,
  NoTraffic,
  Starting,
  // Endpoint
  NoNodeAddress,
  LoadBalancerPending,
  // Life cycle
  Paused,
  Removing,
  ReconcileFailed
}
