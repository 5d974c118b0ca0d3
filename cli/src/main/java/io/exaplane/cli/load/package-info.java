// SPDX-License-Identifier: Apache-2.0
/**
 * Loads on any cluster: simulated nodes, Leases, pods and watches. {@code Api} is the port to the
 * server and {@code Timer} the port to time; every load is a class on top of the two.
 */
package io.exaplane.cli.load;
