// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/**
 * Conditions of a ControlPlane. True is good but for Progressing, Degraded, Deleting,
 * OperatorUpdatePending, Reconciling and Stalled.
 */
public enum ConditionType {
  /** The API answers through the published endpoint. */
  Available,
  /** A change is being carried out. */
  Progressing,
  /** Something works less well than it should. */
  Degraded,
  /** The spec can be carried out. */
  ConfigurationValid,
  /** What was asked can be had: the model has no warning, and its requests fit the nodes. */
  SizingValid,
  /** Every CA is as it was and every leaf certificate is in force. */
  CertificatesValid,
  /** No rotation of long-lived keys is under way. */
  RotationComplete,
  /** Every store serves. */
  StoresReady,
  /** Every store has the data that it had. */
  StoreDataAvailable,
  /** Every store runs the image of this operator's. */
  StoresUpToDate,
  /** This operator would make pods otherwise than they are, and waits to be asked. */
  OperatorUpdatePending,
  /** At least one kube-apiserver is ready. */
  APIServerAvailable,
  /** At least one kube-controller-manager is ready. */
  ControllerManagerAvailable,
  /** At least one kube-scheduler is ready. */
  SchedulerAvailable,
  /** The endpoint has an address. */
  EndpointReady,
  /** The administrator's kubeconfig is there. */
  KubeconfigReady,
  /** No component has used up its budget of restarts. */
  RestartBudgetAvailable,
  /** The meltdown guard lets kube-controller-manager declare nodes dead. */
  NodeEvictionsAllowed,
  /** The operator carries out changes; false while paused. */
  ReconciliationActive,
  /** Every object of spec.addons is as its source says. */
  AddonsReady,
  /** The control plane is being removed. */
  Deleting,
  /**
   * The API answers, and the spec is carried out: for tools that know this condition of any Kind.
   */
  Ready,
  /** A change is being carried out: as Progressing, for tools. */
  Reconciling,
  /** Nothing goes on until a person acts: for tools. */
  Stalled
}
