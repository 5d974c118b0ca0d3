/** What has some of the nodes, and knows the best of them for each class of pods. */
package io.exaplane.scheduler.shard;
