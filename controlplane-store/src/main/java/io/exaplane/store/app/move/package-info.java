/**
 * The pages by which an operator moves a Kind from one store to another: who may ask, what a
 * question must look like, and the words of answers. What they do is in {@code api}.
 */
package io.exaplane.store.app.move;
