/**
 * Files of jobs. A file is written under a temporary name and renamed when it is complete, so that
 * a killed job leaves no half file under the final name.
 */
@NullMarked
package io.evenkey.jobs.file;

import org.jspecify.annotations.NullMarked;
