/**
 * The state machine: keys, versions, revisions, what readers see of them, and what is freed when.
 * It knows no clock, no file, no network and no thread of its own; time and commands come with each
 * call.
 */
package io.exaplane.store.core;
