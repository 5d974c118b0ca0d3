// SPDX-License-Identifier: Apache-2.0
/** What the operator says of itself to the kubelet. */
package io.exaplane.operator.health;
