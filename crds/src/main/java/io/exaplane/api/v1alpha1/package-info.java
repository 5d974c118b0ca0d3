// SPDX-License-Identifier: Apache-2.0
/**
 * The API that users write: kinds of {@code exaplane.io/v1alpha1}, their schema and its rules.
 * Types here are immutable and call no client.
 */
package io.exaplane.api.v1alpha1;
