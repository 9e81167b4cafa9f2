#include "command.h"

#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "channel.h"
#include "settle.h"
#include "streams.h"
#include "tree.h"

static struct capture capture_of(int fd, uint8_t stream, const struct stream_terms *terms) {
  return (struct capture){.fd = fd,
                          .stream = stream,
                          .lossless = terms->lossless,
                          .max_output_bytes = terms->max_output_bytes,
                          .max_spill_bytes = terms->max_spill_bytes,
                          .credit = terms->credit_bytes};
}

enum protocol_error commands_spawn(const struct frame *frame) {
  struct spawn_request request;
  struct spawned spawned;
  enum spawn_stage stage;
  int error;
  if (channel_find(frame->channel) != NULL) return PROTOCOL_CHANNEL;
  enum protocol_error malformed = spawn_request_decode(frame->payload, frame->length, &request);
  if (malformed != PROTOCOL_OK) return malformed;
  struct command *command = channel_take(frame->channel);
  if (command == NULL) {
    channel_failed(frame->channel, STAGE_LIMIT, EAGAIN);
    spawn_request_free(&request);
    return PROTOCOL_OK;
  }
  command->counters_at_start = limits_read();
  command->start_ticks = tree_ticks_now();
  command->started_ns = now_ns();
  bool is_guard = request.uid == channels.settings.guard_uid;
  if (is_guard || !spawn(&request, &channels.settings.spawn, channels.settings.null_fd, &spawned, &stage, &error)) {
    channel_failed(frame->channel, is_guard ? STAGE_IDENTITY : stage, is_guard ? EPERM : error);
    spawn_request_free(&request);
    channel_end(command);
    return PROTOCOL_OK;
  }
  command->keeper = spawned.keeper;
  command->report_fd = spawned.report;
  command->slave = spawned.slave;
  command->uid = (uid_t)request.uid;
  command->gid = (gid_t)request.gid;
  command->input = input_open(spawned.in);
  command->captures[0] = capture_of(spawned.out, STREAM_STDOUT, &request.out);
  command->captures[1] = capture_of(spawned.err, STREAM_STDERR, &request.err);
  poller_add(spawned.report, EPOLLIN, frame->channel, WATCH_REPORT);
  poller_add(spawned.out, EPOLLIN, frame->channel, WATCH_STDOUT);
  /* A terminal has one output. */
  if (spawned.err >= 0) poller_add(spawned.err, EPOLLIN, frame->channel, WATCH_STDERR);
  /* Without an event asked for, the end of its last reader is still told. */
  if (spawned.in >= 0) poller_add(spawned.in, 0, frame->channel, WATCH_STDIN);
  spawn_request_free(&request);
  return PROTOCOL_OK;
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
  uint8_t *at = outbox_frame(channels.outbox, EXITED_BYTES, FRAME_EXITED, 0, command->channel);
  at = put_u32(put_u32(put_u32(at, flags), code), by_signal ? (uint32_t)WTERMSIG(report->wait_status) : 0);
  at = put_u64(put_u64(put_u64(at, report->ended_ns - command->started_ns), report->user_us), report->system_us);
  at = put_u64(at, report->max_rss_bytes);
  at = put_u32(at, (uint32_t)(counters.oom_kills - command->counters_at_start.oom_kills));
  put_u32(put_u32(at, (uint32_t)(counters.pids_denied - command->counters_at_start.pids_denied)), disk);
}

static void close_report(struct command *command) {
  if (command->report_fd >= 0) close(command->report_fd);
  command->report_fd = -1;
}

static void handle_exited(struct command *command, const struct report *report) {
  close_report(command);
  command->exited = true;
  bool is_gone = report->alone != 0 && !settle_has_orphans(command);
  /* What was printed before the end comes before the news of it, as far as credit goes. */
  for (int s = 0; s < 2; s++) {
    streams_read(command, s);
    capture_send(&command->captures[s], channels.outbox, command->channel);
  }
  if (is_gone) settle_gone(command);
  send_exited(command, report, exited_flags(command, report));
  streams_send(command);
  channel_end_if_over(command);
}

static bool is_keeper(pid_t pid) {
  for (uint32_t i = 0; i < channels.used; i++)
    if (channels.places[i].channel != 0 && channels.places[i].keeper == pid) return true;
  return false;
}

/* The keeper ended without a report: whose the orphans are is no longer known, so none may stay. */
static void handle_lost_keeper(struct command *command) {
  tree_kill_orphans(is_keeper);
  if (!command->started) {
    channel_failed(command->channel, STAGE_KEEPER, 0);
    channel_end(command);
    return;
  }
  struct report lost = {.kind = REPORT_EXITED, .alone = 1, .wait_status = SIGKILL, .ended_ns = now_ns()};
  close_report(command);
  command->exited = true;
  settle_gone(command);
  send_exited(command, &lost, EXITED_LOST | EXITED_GONE);
  streams_send(command);
  channel_end_if_over(command);
}

/* Reads one report; false when there is none to be read now. */
static bool read_report(struct command *command) {
  struct report report;
  ssize_t count = read(command->report_fd, &report, sizeof report);
  if (count < 0) return false;
  if (count != sizeof report) {
    /* The keeper has let go of it. Whether that was its end, and whose children are whose, its reaping tells. */
    close_report(command);
    return false;
  }
  if (report.kind == REPORT_STARTED) {
    command->started = true;
    command->leader = report.pid;
    put_u32(outbox_frame(channels.outbox, 4, FRAME_STARTED, 0, command->channel), (uint32_t)report.pid);
  } else if (report.kind == REPORT_FAILED) {
    settle_gone(command);
    channel_failed(command->channel, report.stage, report.error);
    channel_end(command);
  } else {
    handle_exited(command, &report);
  }
  return command->channel != 0 && command->report_fd >= 0;
}

void commands_keeper_ended(pid_t pid) {
  for (uint32_t i = 0; i < channels.used; i++) {
    struct command *command = &channels.places[i];
    if (command->channel == 0 || command->keeper != pid) continue;
    uint32_t channel = command->channel;
    /* Its last words first. They may end the channel, whose place is then free. */
    while (command->report_fd >= 0 && read_report(command)) {
    }
    if (command->channel != channel || command->gone) return;
    if (!command->exited) handle_lost_keeper(command);
    else if (!settle_has_orphans(command)) settle_announce_gone(command);
    return;
  }
}

void commands_event(const struct watch_event *event) {
  struct command *command = channel_find(event->channel);
  if (command == NULL) return;
  if (event->kind == WATCH_REPORT) {
    while (command->report_fd >= 0 && read_report(command)) {
    }
  } else if (event->kind == WATCH_STDIN) {
    streams_stdin_event(command, event);
  } else {
    streams_read(command, event->kind == WATCH_STDOUT ? 0 : 1);
  }
}
