#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fatal.h"
#include "tree.h"

#define MILLISECOND_NS UINT64_C(1000000)

enum { KILL_DEADLINE_MS = 1000, LOOK_DEADLINE_MS = 100, LONGEST_DELAY_MS = 32, ORPHAN_LOOK_MS = 100 };

static struct command_settings settings;
static struct outbox *outbox;
static struct command *commands;
/* Places from here on have never been used. */
static uint32_t used;
/* Whose output goes first in the next turn. */
static uint32_t first_in_turn;

void commands_open(const struct command_settings *with, struct outbox *to) {
  settings = *with;
  outbox = to;
  commands = calloc(settings.max_commands, sizeof *commands);
  if (commands == NULL) fatal("memory");
}

static struct command *find(uint32_t channel) {
  for (uint32_t i = 0; i < used; i++)
    if (commands[i].channel == channel) return &commands[i];
  return NULL;
}

static struct command *take_place(uint32_t channel) {
  uint32_t i = 0;
  while (i < used && commands[i].channel != 0) i++;
  if (i == settings.max_commands) return NULL;
  if (i == used) used++;
  commands[i] = (struct command){.channel = channel, .keeper = -1, .report_fd = -1};
  commands[i].input.fd = -1;
  for (int s = 0; s < 2; s++) commands[i].captures[s].fd = -1;
  return &commands[i];
}

/* The channel is over: nothing of it is held any more, and its place is free. */
static void end_channel(struct command *command) {
  if (command->report_fd >= 0) close(command->report_fd);
  input_close(&command->input);
  for (int s = 0; s < 2; s++) capture_close(&command->captures[s]);
  *command = (struct command){.channel = 0};
  while (used > 0 && commands[used - 1].channel == 0) used--;
}

static void send_failed(uint32_t channel, enum spawn_stage stage, int error) {
  put_u32(put_u32(outbox_frame(outbox, 8, FRAME_FAILED, 0, channel), stage), (uint32_t)error);
}

/* --- The tree of a command. --- */

static void answer_signal(struct command *command, const struct tree_result *result, uint32_t remaining) {
  struct settling *settling = &command->settling;
  uint32_t pid_count = remaining == 0 ? 0 : result->pid_count;
  uint8_t *at = outbox_frame(outbox, 12 + 4 * pid_count, FRAME_TREE, 0, command->channel);
  at = put_u32(put_u32(put_u32(at, settling->request), settling->signalled), remaining);
  for (uint32_t i = 0; i < pid_count; i++) at = put_u32(at, (uint32_t)result->pids[i]);
  settling->active = false;
}

static void end_if_over(struct command *command) {
  if (command->exited && command->gone && command->captures[0].ended && command->captures[1].ended)
    end_channel(command);
}

/* No process of the command is left. */
static void mark_gone(struct command *command) {
  static const struct tree_result nothing;
  if (command->settling.active) answer_signal(command, &nothing, 0);
  command->gone = true;
  input_close(&command->input);
}

static void announce_gone(struct command *command) {
  mark_gone(command);
  outbox_frame(outbox, 0, FRAME_GONE, 0, command->channel);
  end_if_over(command);
}

/* Without a subreaper an orphan that left its session is this command's only when it can be no other's. */
static bool is_only_command(const struct command *command) {
  for (uint32_t i = 0; i < used; i++)
    if (commands[i].channel != 0 && !commands[i].is_reader && &commands[i] != command) return false;
  return true;
}

static void signal_tree(struct command *command, int signal, struct tree_result *result) {
  struct tree_root root = {.keeper = command->keeper, .leader = command->leader, .claims_orphans_from = UINT64_MAX};
  if (!settings.spawn.subreaper)
    root.claims_orphans_from = is_only_command(command) ? command->start_ticks : UINT64_MAX - 1;
  tree_signal(&root, signal, result);
}

static bool has_orphans(struct command *command) {
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
  if (!settings.spawn.subreaper && command->exited && result.alive == 0) {
    announce_gone(command);
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

enum protocol_error commands_signal(const struct frame *frame) {
  struct command *command = find(frame->channel);
  uint32_t request = get_u32(frame->payload);
  uint32_t signal = get_u32(frame->payload + 4);
  if (signal > 64) return PROTOCOL_SIGNAL;
  if (command == NULL || command->is_reader || command->gone) {
    put_u32(put_u32(put_u32(outbox_frame(outbox, 12, FRAME_TREE, 0, frame->channel), request), 0), 0);
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

/* --- Start and end. --- */

enum protocol_error commands_spawn(const struct frame *frame) {
  struct spawn_request request;
  struct spawned spawned;
  enum spawn_stage stage;
  int error;
  if (find(frame->channel) != NULL) return PROTOCOL_CHANNEL;
  enum protocol_error malformed = spawn_request_decode(frame->payload, frame->length, &request);
  if (malformed != PROTOCOL_OK) return malformed;
  struct command *command = take_place(frame->channel);
  if (command == NULL) {
    send_failed(frame->channel, STAGE_LIMIT, EAGAIN);
    spawn_request_free(&request);
    return PROTOCOL_OK;
  }
  command->counters_at_start = limits_read();
  command->start_ticks = tree_ticks_now();
  command->started_ns = now_ns();
  bool is_guard = request.uid == settings.guard_uid;
  if (is_guard || !spawn(&request, &settings.spawn, settings.null_fd, &spawned, &stage, &error)) {
    send_failed(frame->channel, is_guard ? STAGE_IDENTITY : stage, is_guard ? EPERM : error);
    spawn_request_free(&request);
    end_channel(command);
    return PROTOCOL_OK;
  }
  command->keeper = spawned.keeper;
  command->report_fd = spawned.report;
  command->input = input_open(spawned.in);
  for (int s = 0; s < 2; s++)
    command->captures[s] = (struct capture){.fd = s == 0 ? spawned.out : spawned.err,
                                            .stream = s == 0 ? STREAM_STDOUT : STREAM_STDERR,
                                            .lossless = (request.flags & SPAWN_LOSSLESS) != 0,
                                            .max_output_bytes = request.max_output_bytes,
                                            .max_spill_bytes = request.max_spill_bytes,
                                            .credit = request.credit_bytes};
  poller_add(spawned.report, EPOLLIN, frame->channel, WATCH_REPORT);
  poller_add(spawned.out, EPOLLIN, frame->channel, WATCH_STDOUT);
  poller_add(spawned.err, EPOLLIN, frame->channel, WATCH_STDERR);
  /* Without an event asked for, the end of its last reader is still told. */
  if (spawned.in >= 0) poller_add(spawned.in, 0, frame->channel, WATCH_STDIN);
  spawn_request_free(&request);
  return PROTOCOL_OK;
}

static void end_captures(struct command *command) {
  for (int s = 0; s < 2; s++) {
    struct capture *capture = &command->captures[s];
    if (command->exited && !capture->ended && capture_is_delivered(capture))
      capture_end(capture, outbox, command->channel);
  }
}

/* A capture without room leaves the set and is not only masked: its hang-up would be told again and again. */
static void watch_capture(struct command *command, int s) {
  struct capture *capture = &command->captures[s];
  bool pause = capture->fd >= 0 && !capture_wants_input(capture, outbox);
  if (capture->fd >= 0 && pause && !command->paused[s]) poller_remove(capture->fd);
  if (capture->fd >= 0 && !pause && command->paused[s])
    poller_add(capture->fd, EPOLLIN, command->channel, s == 0 ? WATCH_STDOUT : WATCH_STDERR);
  command->paused[s] = pause;
}

static void read_capture(struct command *command, int s) {
  struct capture *capture = &command->captures[s];
  if (capture->fd < 0) return;
  capture_read(capture, outbox, command->channel);
  watch_capture(command, s);
}

static void send_captures(struct command *command) {
  for (int s = 0; s < 2; s++) {
    struct capture *capture = &command->captures[s];
    capture_send(capture, outbox, command->channel);
    /* The file of a reader is never in the set. */
    if (!command->is_reader) watch_capture(command, s);
  }
  end_captures(command);
}

static uint32_t exited_flags(const struct command *command, const struct report *report) {
  uint32_t flags = 0;
  if (WIFSIGNALED(report->wait_status) && WCOREDUMP(report->wait_status)) flags |= EXITED_CORE;
  if (command->gone) flags |= EXITED_GONE;
  if (command->killed_by_host) flags |= EXITED_KILLED_BY_HOST;
  return flags;
}

static void send_exited(struct command *command, const struct report *report, uint32_t flags) {
  enum { EXITED_BYTES = 56 };
  struct limit_counters counters = limits_read();
  bool by_signal = WIFSIGNALED(report->wait_status);
  uint32_t code = by_signal ? 0 : (uint32_t)WEXITSTATUS(report->wait_status);
  uint32_t disk = report->wait_status == 0 ? 0 : limits_full_disk();
  uint8_t *at = outbox_frame(outbox, EXITED_BYTES, FRAME_EXITED, 0, command->channel);
  at = put_u32(put_u32(put_u32(at, flags), code), by_signal ? (uint32_t)WTERMSIG(report->wait_status) : 0);
  at = put_u64(put_u64(put_u64(at, report->ended_ns - command->started_ns), report->user_us), report->system_us);
  at = put_u64(at, report->max_rss_bytes);
  at = put_u32(at, (uint32_t)(counters.oom_kills - command->counters_at_start.oom_kills));
  put_u32(put_u32(at, (uint32_t)(counters.pids_denied - command->counters_at_start.pids_denied)), disk);
}

static void close_report(struct command *command) {
  close(command->report_fd);
  command->report_fd = -1;
}

static void handle_exited(struct command *command, const struct report *report) {
  close_report(command);
  command->exited = true;
  bool is_gone = report->alone != 0 && (settings.spawn.subreaper || !has_orphans(command));
  /* What was printed before the end comes before the news of it, as far as credit goes. */
  for (int s = 0; s < 2; s++) {
    read_capture(command, s);
    capture_send(&command->captures[s], outbox, command->channel);
  }
  if (is_gone) mark_gone(command);
  send_exited(command, report, exited_flags(command, report));
  send_captures(command);
  end_if_over(command);
}

static bool is_keeper(pid_t pid) {
  for (uint32_t i = 0; i < used; i++)
    if (commands[i].channel != 0 && commands[i].keeper == pid) return true;
  return false;
}

/* The keeper ended without a report: whose the orphans are is no longer known, so none may stay. */
static void handle_lost_keeper(struct command *command) {
  tree_kill_orphans(is_keeper);
  if (!command->started) {
    send_failed(command->channel, STAGE_KEEPER, 0);
    end_channel(command);
    return;
  }
  struct report lost = {.kind = REPORT_EXITED, .alone = 1, .wait_status = SIGKILL, .ended_ns = now_ns()};
  close_report(command);
  command->exited = true;
  mark_gone(command);
  send_exited(command, &lost, EXITED_LOST | EXITED_GONE);
  send_captures(command);
  end_if_over(command);
}

/* Reads one report; false when there is none to be read now. */
static bool read_report(struct command *command) {
  struct report report;
  ssize_t count = read(command->report_fd, &report, sizeof report);
  if (count < 0) return false;
  if (count != sizeof report) {
    handle_lost_keeper(command);
    return false;
  }
  if (report.kind == REPORT_STARTED) {
    command->started = true;
    command->leader = report.pid;
    put_u32(outbox_frame(outbox, 4, FRAME_STARTED, 0, command->channel), (uint32_t)report.pid);
  } else if (report.kind == REPORT_FAILED) {
    static const struct tree_result nothing;
    if (command->settling.active) answer_signal(command, &nothing, 0);
    send_failed(command->channel, report.stage, report.error);
    end_channel(command);
  } else {
    handle_exited(command, &report);
  }
  return command->channel != 0 && command->report_fd >= 0;
}

void commands_keeper_ended(pid_t pid) {
  for (uint32_t i = 0; i < used; i++) {
    struct command *command = &commands[i];
    if (command->channel == 0 || command->keeper != pid) continue;
    uint32_t channel = command->channel;
    /* Its last words first. They may end the channel, whose place is then free. */
    while (command->report_fd >= 0 && read_report(command)) {
    }
    if (command->channel != channel || command->gone) return;
    if (settings.spawn.subreaper || !has_orphans(command)) announce_gone(command);
    return;
  }
}

/* --- Streams. --- */

static void handle_input(struct command *command, enum input_result result) {
  if (result != INPUT_TAKEN) {
    if (result == INPUT_READER_GONE) outbox_frame(outbox, 0, FRAME_RESET, STREAM_STDIN, command->channel);
    input_close(&command->input);
    return;
  }
  bool wants_room = input_is_waiting(&command->input);
  if (wants_room != command->stdin_watched_for_room)
    poller_change(command->input.fd, wants_room ? EPOLLOUT : 0, command->channel, WATCH_STDIN);
  command->stdin_watched_for_room = wants_room;
  uint32_t credit = input_take_credit(&command->input);
  if (credit > 0) put_u32(outbox_frame(outbox, 4, FRAME_CREDIT, STREAM_STDIN, command->channel), credit);
}

enum protocol_error commands_stdin(const struct frame *frame) {
  struct command *command = find(frame->channel);
  /* Sent before the host could know that nobody reads it. */
  if (command == NULL || command->input.fd < 0) return PROTOCOL_OK;
  if (frame->length > command->input.window || command->input.end_wanted) return PROTOCOL_CREDIT;
  handle_input(command, input_write(&command->input, frame->payload, frame->length));
  return PROTOCOL_OK;
}

void commands_stdin_end(const struct frame *frame) {
  struct command *command = find(frame->channel);
  if (command != NULL && command->input.fd >= 0) handle_input(command, input_end(&command->input));
}

void commands_credit(const struct frame *frame) {
  struct command *command = find(frame->channel);
  if (command != NULL) command->captures[frame->stream - STREAM_STDOUT].credit += get_u32(frame->payload);
}

void commands_release(const struct frame *frame) {
  struct command *command = find(frame->channel);
  if (command == NULL) return;
  if (command->is_reader) {
    end_channel(command);
    return;
  }
  for (int s = 0; s < 2; s++) capture_discard(&command->captures[s]);
  send_captures(command);
  end_if_over(command);
}

enum protocol_error commands_read_spill(const struct frame *frame) {
  if (find(frame->channel) != NULL) return PROTOCOL_CHANNEL;
  int fd = spill_open_path((const char *)frame->payload + 4, frame->length - 4);
  struct command *command = fd < 0 ? NULL : take_place(frame->channel);
  if (command == NULL) {
    if (fd >= 0) close(fd);
    send_failed(frame->channel, fd < 0 ? STAGE_SPILL : STAGE_LIMIT, fd < 0 ? -fd : EAGAIN);
    return PROTOCOL_OK;
  }
  command->is_reader = command->exited = command->gone = true;
  command->captures[0] = (struct capture){
      .fd = fd, .stream = STREAM_STDOUT, .lossless = true, .credit = get_u32(frame->payload), .enlarged = true};
  command->captures[1].ended = true;
  return PROTOCOL_OK;
}

void commands_event(const struct watch_event *event) {
  struct command *command = find(event->channel);
  if (command == NULL) return;
  if (event->kind == WATCH_REPORT) {
    while (command->report_fd >= 0 && read_report(command)) {
    }
  } else if (event->kind == WATCH_STDIN) {
    if (command->input.fd < 0) return;
    bool has_reader = (event->events & EPOLLERR) == 0;
    handle_input(command, has_reader ? input_resume(&command->input) : INPUT_READER_GONE);
  } else {
    read_capture(command, event->kind == WATCH_STDOUT ? 0 : 1);
  }
}

/* --- The turn. --- */

/* A regular file is always ready, so its turn is ours to give. True when it could go on at once. */
static bool read_file(struct command *command) {
  struct capture *capture = &command->captures[0];
  if (capture->fd < 0 || !capture_wants_input(capture, outbox)) return false;
  capture_read(capture, outbox, command->channel);
  return true;
}

static uint64_t earliest(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Looks again where it is time; returns when the next look is due. */
static uint64_t look_again(struct command *command, uint64_t now) {
  uint64_t due = UINT64_MAX;
  if (command->settling.active) {
    if (now >= command->settling.next_ns) settle(command, now);
    if (command->channel != 0 && command->settling.active) due = command->settling.next_ns;
  }
  if (settings.spawn.subreaper || command->channel == 0 || !command->exited || command->gone) return due;
  /* No keeper speaks for orphans here: only another look tells when they are gone. */
  if (now >= command->next_look_ns) {
    command->next_look_ns = now + ORPHAN_LOOK_MS * MILLISECOND_NS;
    if (!has_orphans(command)) {
      announce_gone(command);
      return due;
    }
  }
  return earliest(due, command->next_look_ns);
}

int commands_turn(void) {
  uint64_t now = now_ns(), due = UINT64_MAX;
  bool goes_on = false;
  uint32_t places = used;
  if (first_in_turn >= places) first_in_turn = 0;
  for (uint32_t i = 0; i < places; i++) {
    struct command *command = &commands[(first_in_turn + i) % places];
    if (command->channel == 0) continue;
    if (command->is_reader && read_file(command)) goes_on = true;
    send_captures(command);
    end_if_over(command);
    if (command->channel != 0) due = earliest(due, look_again(command, now));
  }
  first_in_turn++;
  if (goes_on) return 0;
  if (due == UINT64_MAX) return -1;
  return due <= now ? 0 : (int)((due - now + MILLISECOND_NS - 1) / MILLISECOND_NS);
}
