/**
 * Addresses of records in the order of revisions: what watches and snapshots go along. It knows no
 * keys and no values, only where a record lies.
 */
package io.exaplane.store.core.history;
