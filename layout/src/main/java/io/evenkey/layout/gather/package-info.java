/**
 * The messages of a gather on region servers: a {@link io.evenkey.layout.gather.GatherRequest} asks
 * one server for the first rows of several ranges there, a {@link
 * io.evenkey.layout.gather.GatherAnswer} says up to which key the rows of the answer are complete.
 * Pure Java, for clients and region servers.
 */
@NullMarked
package io.evenkey.layout.gather;

import org.jspecify.annotations.NullMarked;
