#include "settle.h"

#include <signal.h>

#include "tree.h"

enum { KILL_DEADLINE_MS = 1000, LOOK_DEADLINE_MS = 100, LONGEST_DELAY_MS = 32, ORPHAN_LOOK_MS = 100 };

static void answer_signal(struct command *command, const struct tree_result *result, uint32_t remaining) {
  struct settling *settling = &command->settling;
  uint32_t pid_count = remaining == 0 ? 0 : result->pid_count;
  uint8_t *at = outbox_frame(channels.outbox, 12 + 4 * pid_count, FRAME_TREE, 0, command->channel);
  at = put_u32(put_u32(put_u32(at, settling->request), settling->signalled), remaining);
  for (uint32_t i = 0; i < pid_count; i++) at = put_u32(at, (uint32_t)result->pids[i]);
  settling->active = false;
}

void settle_gone(struct command *command) {
  static const struct tree_result nothing;
  if (command->settling.active) answer_signal(command, &nothing, 0);
  command->gone = true;
  input_close(&command->input);
}

void settle_announce_gone(struct command *command) {
  settle_gone(command);
  outbox_frame(channels.outbox, 0, FRAME_GONE, 0, command->channel);
  channel_end_if_over(command);
}

/* Without a subreaper an orphan that left its session is this command's only when it can be no other's. */
static bool is_only_command(const struct command *command) {
  for (uint32_t i = 0; i < channels.used; i++)
    if (channels.places[i].channel != 0 && !channels.places[i].is_reader && &channels.places[i] != command) return false;
  return true;
}

static void signal_tree(struct command *command, int signal, struct tree_result *result) {
  struct tree_root root = {.keeper = command->keeper, .leader = command->leader, .claims_orphans_from = UINT64_MAX};
  if (!channels.settings.spawn.subreaper)
    root.claims_orphans_from = is_only_command(command) ? command->start_ticks : UINT64_MAX - 1;
  tree_signal(&root, signal, result);
}

bool settle_has_orphans(struct command *command) {
  if (channels.settings.spawn.subreaper) return false;
  struct tree_result result;
  signal_tree(command, 0, &result);
  return result.alive > 0;
}

/*
 * Signals once and answers if the answer is certain: nothing left is certain when the keeper says so,
 * something left unless it is being killed. Else it looks again, soon and then less often.
 */
static void settle(struct command *command, uint64_t now) {
  struct settling *settling = &command->settling;
  struct tree_result result;
  signal_tree(command, settling->signal, &result);
  if (result.signalled > settling->signalled) settling->signalled = result.signalled;
  if (!channels.settings.spawn.subreaper && command->exited && result.alive == 0) {
    settle_announce_gone(command);
    return;
  }
  bool is_certain = result.alive > 0 && settling->signal != SIGKILL;
  if (is_certain || now >= settling->deadline_ns) {
    answer_signal(command, &result, result.alive > 0 ? result.alive : 1);
    return;
  }
  settling->next_ns = now + settling->delay_ns;
  if (settling->delay_ns < LONGEST_DELAY_MS * MILLISECOND_NS) settling->delay_ns *= 2;
}

enum protocol_error settle_signal(const struct frame *frame) {
  struct command *command = channel_find(frame->channel);
  uint32_t request = get_u32(frame->payload);
  uint32_t signal = get_u32(frame->payload + 4);
  if (signal > 64) return PROTOCOL_SIGNAL;
  if (command == NULL || command->is_reader || command->gone) {
    put_u32(put_u32(put_u32(outbox_frame(channels.outbox, 12, FRAME_TREE, 0, frame->channel), request), 0), 0);
    return PROTOCOL_OK;
  }
  struct tree_result nothing = {0};
  if (command->settling.active) answer_signal(command, &nothing, 1);
  if (signal == SIGKILL) command->killed_by_host = true;
  uint64_t now = now_ns();
  uint64_t deadline_ms = signal == SIGKILL ? KILL_DEADLINE_MS : LOOK_DEADLINE_MS;
  command->settling = (struct settling){.active = true,
                                        .request = request,
                                        .signal = (int)signal,
                                        .delay_ns = MILLISECOND_NS,
                                        .deadline_ns = now + deadline_ms * MILLISECOND_NS};
  settle(command, now);
  return PROTOCOL_OK;
}

uint64_t settle_look_again(struct command *command, uint64_t now) {
  uint64_t due = UINT64_MAX;
  if (command->settling.active) {
    if (now >= command->settling.next_ns) settle(command, now);
    if (command->channel != 0 && command->settling.active) due = command->settling.next_ns;
  }
  if (channels.settings.spawn.subreaper || command->channel == 0 || !command->exited || command->gone) return due;
  /* No keeper speaks for orphans here: only another look tells when they are gone. */
  if (now >= command->next_look_ns) {
    command->next_look_ns = now + ORPHAN_LOOK_MS * MILLISECOND_NS;
    if (!settle_has_orphans(command)) {
      settle_announce_gone(command);
      return due;
    }
  }
  return command->next_look_ns < due ? command->next_look_ns : due;
}
