/** Which objects must exist before which others. */
package io.exaplane.apply.order;
