/** Health with the types of Spring Boot 4. */
@NullMarked
package io.holdfast.spring.boot.health4;

import org.jspecify.annotations.NullMarked;
