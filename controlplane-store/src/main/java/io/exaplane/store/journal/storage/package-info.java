/**
 * Folders and segments of a file system, and what is asked of a disk: write, force, rename. It
 * knows nothing of what is in a file, so that tests can put a disk that fails in its place.
 */
package io.exaplane.store.journal.storage;
