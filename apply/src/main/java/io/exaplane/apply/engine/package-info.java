/** The single-writer state machine that decides what to ask of the API server. */
package io.exaplane.apply.engine;
