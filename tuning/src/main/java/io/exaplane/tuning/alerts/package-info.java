/**
 * Alerts for Prometheus, by the metric names of each Kubernetes version, one class for each group;
 * and the catalogue of metrics, for dashboards too. It knows no rule and no shape of a cluster, and
 * reads no running server.
 */
package io.exaplane.tuning.alerts;
