/**
 * Watches: who wants which keys, how events of the one log reach them, and what becomes of a
 * watcher that is slow. It changes nothing in the store, and knows no other service and no journal.
 */
package io.exaplane.store.api.watch;
