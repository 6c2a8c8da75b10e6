/** Files of jobs, as they have to be when a job is killed. */
@NullMarked
package io.evenkey.jobs.file;

import org.jspecify.annotations.NullMarked;
