/** What stands above other processes in the tree: it passes on, and takes answers together. */
package io.exaplane.scheduler.relay;
