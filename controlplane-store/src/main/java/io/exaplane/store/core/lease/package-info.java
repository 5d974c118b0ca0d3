/**
 * Leases: what is granted, which keys hang on it, and when it ends. It has no clock and reads no
 * key: the time and the slots of keys come in with each call.
 */
package io.exaplane.store.core.lease;
