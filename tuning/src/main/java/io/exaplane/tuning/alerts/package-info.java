// SPDX-License-Identifier: Apache-2.0
/**
 * Alerts for Prometheus, by the metric names of each Kubernetes version: one class for each group.
 * Knows no other room of the module but versions and the numbers of the model.
 */
package io.exaplane.tuning.alerts;
