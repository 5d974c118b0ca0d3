/**
 * What goes up and down the tree of processes, as values: from the root down to shards, perhaps
 * through relays, what changes and what is asked; up, what is answered. How they get there is the
 * app's.
 */
package io.exaplane.scheduler.tree;
