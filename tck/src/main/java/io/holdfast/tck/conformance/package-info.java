/**
 * The conformance kit: the rules of an engine as tests.
 *
 * <p>An engine's test extends {@link io.holdfast.tck.conformance.EngineConformanceKit} and supplies
 * an {@link io.holdfast.tck.conformance.EngineUnderTest}: how to connect a client and how to kill
 * one. The kit has one chapter for each of the ten rules, whose tests call verbs directly, and one
 * chapter for each part of the API. {@link io.holdfast.tck.conformance.LineModel} is the model that
 * random verb sequences are checked against.
 */
@NullMarked
package io.holdfast.tck.conformance;

import org.jspecify.annotations.NullMarked;
