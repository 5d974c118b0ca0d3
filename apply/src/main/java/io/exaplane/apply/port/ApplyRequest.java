// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.port;

import io.exaplane.apply.manifest.ObjectKey;

/**
 * One server-side apply. Immutable: nobody writes into {@code body}.
 *
 * @param type kind as the server serves it
 * @param key the object, with its namespace
 * @param body JSON in UTF-8, without {@code managedFields}
 * @param manager our name as a field manager
 * @param force whether to take fields that other managers own
 * @param content what the answer is to hold: {@link Content#FULL} where health counts
 */
public record ApplyRequest(
    ResourceType type,
    ObjectKey key,
    byte[] body,
    String manager,
    boolean force,
    Content content) {}
