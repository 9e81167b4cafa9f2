/* What is done for all channels between two waits. */
#ifndef TURN_H
#define TURN_H

/*
 * Sends what credit permits, each channel in turn, and looks again at trees that are being signalled.
 * Returns the milliseconds until the next turn is due, -1 when none is.
 */
int take_turn(void);

#endif
