/**
 * The process: flags, what is opened and started in which order, the pages over HTTP, and the
 * command that restores a backup. It knows nothing of what is in a request; no other room may know
 * it.
 */
package io.exaplane.store.app;
