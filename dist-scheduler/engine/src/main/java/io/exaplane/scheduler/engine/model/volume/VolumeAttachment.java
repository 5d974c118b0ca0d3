// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model.volume;

/** A volume that is attached to a node, or shall be. */
public record VolumeAttachment(String name, String attacher, String node, String volume) {}
