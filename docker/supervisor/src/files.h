/*
 * The supervisor's second trade: the files of a session, for its host, as a command like any other and
 * with that command's rights. See docs/files-protocol.md.
 */
#ifndef FILES_H
#define FILES_H

/* Serves requests from stdin on stdout until stdin ends; returns the exit status. */
int files_serve(void);

#endif
