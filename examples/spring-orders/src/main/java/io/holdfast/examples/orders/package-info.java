/** A shop of which several instances run on one database. */
@NullMarked
package io.holdfast.examples.orders;

import org.jspecify.annotations.NullMarked;
