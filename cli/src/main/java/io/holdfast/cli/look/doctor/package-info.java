/** What {@code doctor} looks at: this machine, and each kind of store. */
@NullMarked
package io.holdfast.cli.look.doctor;

import org.jspecify.annotations.NullMarked;
