// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

/** A version of a key, as clients see it. */
record Kv(String key, String value, long create, long mod, long version, long lease) {}
