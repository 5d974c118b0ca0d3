// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.port;

import io.exaplane.apply.manifest.ObjectKey;

/**
 * One deletion, of exactly the object that was seen. Immutable. Dependents are deleted in the
 * background.
 *
 * @param type kind as the server serves it
 * @param key the object, with its namespace
 * @param uid precondition
 * @param resourceVersion precondition; 0 for none
 */
public record DeleteRequest(ResourceType type, ObjectKey key, String uid, long resourceVersion) {}
