/**
 * Certificates and keys: read from files, checked, and read again when the files change. It knows
 * no connections and no requests.
 */
package io.exaplane.store.app.tls;
