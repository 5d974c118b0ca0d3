/**
 * The log of frames, snapshots, and a start from both: what is durable, what is torn and what is
 * damaged. It knows no network and no service; what it writes and loads is the core's.
 */
package io.exaplane.store.journal;
