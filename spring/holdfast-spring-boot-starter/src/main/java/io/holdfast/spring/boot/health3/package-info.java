/** Health with the types of Spring Boot 3. */
@NullMarked
package io.holdfast.spring.boot.health3;

import org.jspecify.annotations.NullMarked;
