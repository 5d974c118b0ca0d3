// SPDX-License-Identifier: Apache-2.0
/** YAML as kubectl takes it, where SnakeYAML by itself is slow or takes words otherwise. */
package io.exaplane.apply.yaml;
