// SPDX-License-Identifier: Apache-2.0
/** IP addresses and ranges of them, read without a name server. Pure. */
package io.exaplane.operator.net;
