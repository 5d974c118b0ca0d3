// SPDX-License-Identifier: Apache-2.0
/** In which steps a long-lived key is replaced by another one. Pure. */
package io.exaplane.operator.rotation;
