/**
 * One cluster's nodes in several parts, each with an engine of its own that decides about its nodes
 * as one engine would that has all of them: {@link io.exaplane.scheduler.engine.split.Shard} is
 * such a part, {@link io.exaplane.scheduler.engine.split.Root} asks all of them and adds up what
 * they say. What they tell each other are values.
 */
package io.exaplane.scheduler.engine.split;
