#include "channel.h"

#include <stdlib.h>
#include <unistd.h>

#include "fatal.h"
#include "frame.h"

struct channel_table channels;

void channels_open(const struct command_settings *settings, struct outbox *outbox) {
  channels.settings = *settings;
  channels.outbox = outbox;
  channels.places = calloc(settings->max_commands, sizeof *channels.places);
  if (channels.places == NULL) fatal("memory");
}

struct command *channel_find(uint32_t channel) {
  for (uint32_t i = 0; i < channels.used; i++)
    if (channels.places[i].channel == channel) return &channels.places[i];
  return NULL;
}

struct command *channel_take(uint32_t channel) {
  uint32_t i = 0;
  while (i < channels.used && channels.places[i].channel != 0) i++;
  if (i == channels.settings.max_commands) return NULL;
  if (i == channels.used) channels.used++;
  channels.places[i] = (struct command){.channel = channel, .keeper = -1, .report_fd = -1, .slave = -1};
  channels.places[i].input.fd = -1;
  for (int s = 0; s < 2; s++) channels.places[i].captures[s].fd = -1;
  return &channels.places[i];
}

void channel_end(struct command *command) {
  if (command->report_fd >= 0) close(command->report_fd);
  input_close(&command->input);
  for (int s = 0; s < 2; s++) capture_close(&command->captures[s]);
  if (command->slave >= 0) close(command->slave);
  *command = (struct command){.channel = 0};
  while (channels.used > 0 && channels.places[channels.used - 1].channel == 0) channels.used--;
}

void channel_failed(uint32_t channel, enum spawn_stage stage, int error) {
  put_u32(put_u32(outbox_frame(channels.outbox, 8, FRAME_FAILED, 0, channel), stage), (uint32_t)error);
}

void channel_end_if_over(struct command *command) {
  if (command->exited && command->gone && command->captures[0].ended && command->captures[1].ended)
    channel_end(command);
}
