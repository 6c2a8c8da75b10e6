/**
 * Files of jobs. {@link io.evenkey.jobs.file.OutputFile} writes a file under a temporary name and
 * renames it when it is complete, so that a killed job leaves no half file under the final name.
 * {@link io.evenkey.jobs.file.ScratchFile} keeps values only while a command runs.
 */
@NullMarked
package io.evenkey.jobs.file;

import org.jspecify.annotations.NullMarked;
