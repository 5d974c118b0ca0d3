/**
 * How many nodes and pods an IPv6 network carries, and what runs out first: quotas of providers,
 * prefixes, and limits of Kubernetes. Pure.
 */
package io.exaplane.tuning.addr;
