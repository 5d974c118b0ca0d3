// SPDX-License-Identifier: Apache-2.0
/** Whether hosted networks stay away from the addresses of the management cluster. */
package io.exaplane.operator.controlplane.network;
