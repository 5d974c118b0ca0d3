/**
 * Dashboards for Grafana, by the metric names of each Kubernetes version: one class for each
 * dashboard. It takes the catalogue of metrics from the alerts, and reads no running server.
 */
package io.exaplane.tuning.dashboards;
