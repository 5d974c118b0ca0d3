/**
 * Audit logs, however stored, to what each client's LISTs cost, what is found of it, and how it is
 * mended. It knows no rule and no running server: lines come in, a report comes out.
 */
package io.exaplane.tuning.lists;
