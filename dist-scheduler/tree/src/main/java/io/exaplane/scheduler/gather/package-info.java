/** The root's side: it tells shards what changes, asks them, and knows who is there. */
package io.exaplane.scheduler.gather;
