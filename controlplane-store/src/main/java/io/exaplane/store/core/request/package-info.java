/**
 * Requests as values that are used again, and etcd's checks of them. It knows neither the bytes
 * they came as nor what becomes of them.
 */
package io.exaplane.store.core.request;
