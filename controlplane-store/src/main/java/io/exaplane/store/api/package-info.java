/**
 * What each service of etcd does with a request, the one writer that carries changes out, and the
 * lanes by which answers return. It knows neither flags nor files: how a request came over HTTP/2
 * is {@code wire}, where it is kept {@code journal}.
 */
package io.exaplane.store.api;
