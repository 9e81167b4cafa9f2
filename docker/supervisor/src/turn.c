#include "turn.h"

#include "channel.h"
#include "settle.h"
#include "streams.h"

int take_turn(void) {
  /* Whose output goes first. */
  static uint32_t first_in_turn;
  uint64_t now = now_ns(), due = UINT64_MAX;
  bool goes_on = false;
  uint32_t places = channels.used;
  if (first_in_turn >= places) first_in_turn = 0;
  for (uint32_t i = 0; i < places; i++) {
    struct command *command = &channels.places[(first_in_turn + i) % places];
    if (command->channel == 0) continue;
    if (command->is_reader && streams_read_file(command)) goes_on = true;
    streams_send(command);
    channel_end_if_over(command);
    if (command->channel == 0) continue;
    uint64_t next = settle_look_again(command, now);
    if (next < due) due = next;
  }
  first_in_turn++;
  if (goes_on) return 0;
  if (due == UINT64_MAX) return -1;
  return due <= now ? 0 : (int)((due - now + MILLISECOND_NS - 1) / MILLISECOND_NS);
}
