// SPDX-License-Identifier: Apache-2.0
/** Addresses of Services, which outlive the Service: who knows one keeps it. */
package io.exaplane.operator.address;
