/** What the engine asks of an API server, as an interface and records. */
package io.exaplane.apply.port;
