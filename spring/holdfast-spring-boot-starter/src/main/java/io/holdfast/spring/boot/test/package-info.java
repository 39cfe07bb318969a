/** Support for tests of programs that use the starter. */
@NullMarked
package io.holdfast.spring.boot.test;

import org.jspecify.annotations.NullMarked;
