// SPDX-License-Identifier: Apache-2.0

// Package kstatus asks the library that tools such as Flux and kpt go by what it takes our objects for.
package kstatus
