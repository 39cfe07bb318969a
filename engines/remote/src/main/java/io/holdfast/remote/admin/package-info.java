/** The inspector and the counter of the store behind the server. */
@NullMarked
package io.holdfast.remote.admin;

import org.jspecify.annotations.NullMarked;
