#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Joins this host to a cluster of Exaplane as a node of one NodePool. 'sh join.sh --help' tells how.
# This file holds a bootstrap token: keep it readable for root alone, and delete it after the join.
set -u
umask 077
LC_ALL=C
export LC_ALL
PATH=${PATH:-}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH

# What the pool says.
