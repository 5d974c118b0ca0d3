// SPDX-License-Identifier: Apache-2.0
/** What running tasks ask of their control plane, for those who carry that out. Pure. */
package io.exaplane.operator.order;
