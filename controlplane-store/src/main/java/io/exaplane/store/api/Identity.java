// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import java.util.List;

/**
 * What a store says of itself.
 *
 * @param version version of etcd whose behaviour it has; clients decide by it what they may use
 */
public record Identity(
    long clusterId, long memberId, String name, List<String> clientUrls, String version) {}
