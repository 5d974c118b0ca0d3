/**
 * etcd's own file format, read and written, and a store's history as such a file and back. It knows
 * no network, no log and no thread: who calls brings the view and the file.
 */
package io.exaplane.store.backup;
