/**
 * Where Prometheus finds the metrics that alerts and dashboards rest on, and the labels that their
 * series have: as objects of Prometheus' operator, and as plain configuration. It reads no running
 * server.
 */
package io.exaplane.tuning.monitors;
