/** The port on a real API server, by HTTP. */
package io.exaplane.apply.server;
