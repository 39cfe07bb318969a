/** Keeping a hold: renewals, deadlines and the clocks that they use. */
@NullMarked
package io.holdfast.runtime.renew;

import org.jspecify.annotations.NullMarked;
