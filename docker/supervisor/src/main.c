/*
 * PID 1 of a session's container: reads frames from stdin, writes frames to stdout, and runs every
 * command in between. It ends, and with it the container, when its host does. See docs/protocol.md.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "channel.h"
#include "command.h"
#include "fatal.h"
#include "files.h"
#include "foreground.h"
#include "frame.h"
#include "guard.h"
#include "limits.h"
#include "outbox.h"
#include "poller.h"
#include "settle.h"
#include "sha256.h"
#include "spawn.h"
#include "spill.h"
#include "streams.h"
#include "terminal.h"
#include "tree.h"
#include "turn.h"

enum { HOST_IN = 0, HOST_OUT = 1, INBOX_BYTES = 256 * 1024, HOST_PIPE_BYTES = 1024 * 1024, LAST_WORDS_MS = 1000 };
enum { EXIT_HOST_GONE = 0, EXIT_USAGE = 2, EXIT_PROTOCOL = 3 };

struct options {
  const char *spill_directory;
  uint64_t spill_quota_bytes;
  uint32_t max_commands;
  uint32_t guard_uid;
  bool subreaper;
};

static struct outbox outbox;

static struct {
  uint8_t *bytes;
  size_t start;
  size_t end;
  size_t capacity;
} inbox;

static _Noreturn void end_everything(int exit_code) {
  kill(-1, SIGKILL);
  exit(exit_code);
}

static _Noreturn void end_by_protocol_error(enum protocol_error error, const struct frame *frame) {
  uint8_t *at = outbox_frame(&outbox, 12, FRAME_ERROR, 0, frame->channel);
  put_u32(put_u32(put_u32(at, error), frame->type), frame->length);
  struct pollfd writable = {.fd = HOST_OUT, .events = POLLOUT};
  uint64_t deadline = now_ns() + LAST_WORDS_MS * MILLISECOND_NS;
  while (outbox_flush(&outbox, HOST_OUT) && outbox_length(&outbox) > 0 && now_ns() < deadline)
    if (poll(&writable, 1, LAST_WORDS_MS) < 0) break;
  end_everything(EXIT_PROTOCOL);
}

/* --- Start. --- */

static uint64_t parse_number(const char *name, const char *text, uint64_t max) {
  char *end;
  errno = 0;
  uint64_t value = strtoull(text, &end, 10);
  if (errno == 0 && text[0] >= '0' && text[0] <= '9' && *end == 0 && value <= max) return value;
  fprintf(stderr, "supervisor: %s: not a number up to %llu: %s\n", name, (unsigned long long)max, text);
  exit(EXIT_USAGE);
}

static struct options parse_options(int argc, char **argv) {
  enum { MAX_COMMANDS_DEFAULT = 256, MAX_COMMANDS = 65536, GUARD_UID_DEFAULT = 65529 };
  struct options options = {
      .max_commands = MAX_COMMANDS_DEFAULT, .guard_uid = GUARD_UID_DEFAULT, .subreaper = true};
  for (int i = 1; i < argc; i++) {
    const char *name = argv[i];
    if (strcmp(name, "--no-subreaper") == 0) {
      options.subreaper = false;
      continue;
    }
    const char *value = i + 1 < argc ? argv[++i] : "";
    if (strcmp(name, "--spill-directory") == 0) options.spill_directory = value;
    else if (strcmp(name, "--spill-quota-bytes") == 0) options.spill_quota_bytes = parse_number(name, value, UINT64_MAX);
    else if (strcmp(name, "--max-commands") == 0) options.max_commands = (uint32_t)parse_number(name, value, MAX_COMMANDS);
    else if (strcmp(name, "--guard-uid") == 0) options.guard_uid = (uint32_t)parse_number(name, value, UINT32_MAX - 1);
    else if (strcmp(name, "--watch-disk") == 0) limits_watch_disk(value);
    else {
      fprintf(stderr, "supervisor: unknown option: %s\n", name);
      exit(EXIT_USAGE);
    }
  }
  if (options.max_commands == 0 || options.guard_uid == 0) exit(EXIT_USAGE);
  return options;
}

/* No signal interrupts or ends PID 1; the commands start from the defaults it sets here. */
static int take_signals(void) {
  sigset_t all, children;
  sigfillset(&all);
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  for (int signal = 1; signal <= 64; signal++) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    /* Refused for SIGKILL, SIGSTOP and those of the C library. */
    sigaction(signal, &action, NULL);
  }
  if (sigprocmask(SIG_SETMASK, &all, NULL) < 0) fatal("sigprocmask");
  int fd = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
  if (fd < 0) fatal("signalfd");
  return fd;
}

static const char *json(bool value) { return value ? "true" : "false"; }

/* 0, or why no command could have a terminal. */
static int terminal_error(void) {
  static const struct window window = {.rows = 1, .columns = 1};
  struct terminal terminal;
  int error = terminal_open(getuid(), &window, &terminal);
  if (error == 0) terminal_close(&terminal);
  return error;
}

static void say_hello(const struct options *options, const struct guard_facts *guard, const char *build,
                      const struct limit_facts *limits, int spill_error) {
  enum { HELLO_MAX = 1024 };
  char text[HELLO_MAX];
  struct stat pid_namespace = {0};
  /* 0 where the kernel has no such file. */
  if (stat("/proc/self/ns/pid", &pid_namespace) < 0) pid_namespace.st_ino = 0;
  int length = snprintf(
      text, sizeof text,
      "{\"protocol\":%d,\"build\":\"%s\",\"pidNamespace\":%llu,\"subreaper\":%s,\"setUid\":%s,\"setGid\":%s,"
      "\"kill\":%s,\"dropBounding\":%s,\"noNewPrivs\":%s,\"guardUid\":%lld,\"oomScoreAdj\":%d,"
      "\"commandOomScoreAdj\":%d,\"memoryCgroup\":%d,\"memoryBytes\":%llu,\"pidsCgroup\":%d,\"pids\":%llu,"
      "\"maxCommands\":%u,\"spillErrno\":%d,\"terminalErrno\":%d}",
      PROTOCOL_VERSION, build, (unsigned long long)pid_namespace.st_ino, json(guard->subreaper), json(guard->set_uid),
      json(guard->set_gid), json(guard->kill), json(guard->set_pcap), json(guard->no_new_privs),
      guard->guard_uid ? (long long)options->guard_uid : -1LL, guard->oom_score_adj, guard->command_oom_score_adj,
      limits->memory_version, (unsigned long long)limits->memory_bytes, limits->pids_version,
      (unsigned long long)limits->pids, options->max_commands, spill_error, terminal_error());
  memcpy(outbox_frame(&outbox, (uint32_t)length, FRAME_HELLO, 0, 0), text, (size_t)length);
}

static void open_host_streams(void) {
  for (int fd = HOST_IN; fd <= HOST_OUT; fd++) {
    if (fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) < 0) fatal("standard streams");
    /* Fewer switches between the ends of a full pipe. Refused for a socket, and past the kernel's limit. */
    fcntl(fd, F_SETPIPE_SZ, HOST_PIPE_BYTES);
  }
  poller_open();
  poller_add(HOST_IN, EPOLLIN, 0, WATCH_HOST_IN);
}

/* --- Frames in. --- */

static enum protocol_error handle_frame(const struct frame *frame) {
  switch (frame->type) {
    case FRAME_SPAWN: return commands_spawn(frame);
    case FRAME_READ: return streams_read_spill(frame);
    case FRAME_SIGNAL: return settle_signal(frame);
    case FRAME_DATA: return streams_stdin(frame);
    case FRAME_END: streams_stdin_end(frame); return PROTOCOL_OK;
    case FRAME_CREDIT: streams_credit(frame); return PROTOCOL_OK;
    case FRAME_WINDOW: return foreground_resize(frame);
    case FRAME_FOREGROUND: return foreground_signal(frame);
    case FRAME_RELEASE: streams_release(frame); return PROTOCOL_OK;
    case FRAME_PING:
      memcpy(outbox_frame(&outbox, 8, FRAME_PONG, 0, 0), frame->payload, 8);
      return PROTOCOL_OK;
    default: return PROTOCOL_TYPE;
  }
}

/* Room for the rest of the frame that has begun, and no more memory than that after a large one. */
static void fit_inbox(size_t frame_bytes) {
  size_t held = inbox.end - inbox.start;
  size_t capacity = frame_bytes > INBOX_BYTES ? frame_bytes : INBOX_BYTES;
  if (held > 0 && inbox.start > 0) memmove(inbox.bytes, inbox.bytes + inbox.start, held);
  inbox.start = 0;
  inbox.end = held;
  if (inbox.capacity == capacity) return;
  inbox.bytes = allocate(inbox.bytes, capacity);
  inbox.capacity = capacity;
}

static void handle_frames(void) {
  struct frame frame;
  enum protocol_error error;
  enum frame_result result;
  while ((result = frame_parse(inbox.bytes + inbox.start, inbox.end - inbox.start, &frame, &error)) == FRAME_COMPLETE) {
    error = handle_frame(&frame);
    if (error != PROTOCOL_OK) end_by_protocol_error(error, &frame);
    inbox.start += FRAME_HEADER_BYTES + frame.length;
  }
  if (result == FRAME_MALFORMED) end_by_protocol_error(error, &frame);
  fit_inbox(FRAME_HEADER_BYTES + (size_t)frame.length);
}

static void read_host(void) {
  ssize_t count = read(HOST_IN, inbox.bytes + inbox.end, inbox.capacity - inbox.end);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) end_everything(EXIT_HOST_GONE);
  inbox.end += (size_t)count;
  handle_frames();
}

/* --- The loop. --- */

static void reap_keepers(int children_fd) {
  struct signalfd_siginfo info;
  /* Only to clear it: one signal may stand for many children. */
  while (read(children_fd, &info, sizeof info) == (ssize_t)sizeof info) {
  }
  for (pid_t pid; (pid = waitpid(-1, NULL, WNOHANG)) > 0;) commands_keeper_ended(pid);
}

/* Writes, and watches for what the writing needs: room for the rest, or the host's next frames. */
static void flush_host(void) {
  static bool waits_for_room, is_held_up;
  if (!outbox_flush(&outbox, HOST_OUT)) end_everything(EXIT_HOST_GONE);
  bool needs_room = outbox_length(&outbox) > 0;
  if (needs_room && !waits_for_room) poller_add(HOST_OUT, EPOLLOUT, 0, WATCH_HOST_OUT);
  if (!needs_room && waits_for_room) poller_remove(HOST_OUT);
  waits_for_room = needs_room;
  bool too_much = outbox_length(&outbox) > OUTBOX_HIGH_BYTES;
  if (too_much != is_held_up) poller_change(HOST_IN, too_much ? 0 : EPOLLIN, 0, WATCH_HOST_IN);
  is_held_up = too_much;
}

static _Noreturn void run(int children_fd) {
  struct watch_event events[POLLER_EVENTS_MAX];
  fit_inbox(0);
  for (;;) {
    int timeout_ms = take_turn();
    bool was_full = outbox_length(&outbox) >= OUTBOX_DATA_MAX;
    flush_host();
    /* What found no room may have it now, and no event would tell. */
    if (was_full && outbox_length(&outbox) == 0) timeout_ms = 0;
    int count = poller_wait(events, timeout_ms);
    for (int i = 0; i < count; i++) {
      if (events[i].kind == WATCH_HOST_IN) read_host();
      else if (events[i].kind == WATCH_CHILDREN) reap_keepers(children_fd);
      else if (events[i].kind != WATCH_HOST_OUT) commands_event(&events[i]);
    }
  }
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--files") == 0) return files_serve();
  char build[SHA256_HEX_BYTES] = "";
  if (!sha256_file("/proc/self/exe", build)) fatal("/proc/self/exe");
  if (argc == 2 && strcmp(argv[1], "--version") == 0) {
    printf("%d %s\n", PROTOCOL_VERSION, build);
    return 0;
  }
  struct options options = parse_options(argc, argv);
  /* It ends every process that it can see: outside a pid namespace of its own that would be the machine. */
  if (getpid() != 1) {
    fprintf(stderr, "supervisor: not process 1 of its pid namespace\n");
    return EXIT_USAGE;
  }
  if (chdir("/") < 0) fatal("/");
  int children_fd = take_signals();
  int spill_error = options.spill_directory == NULL
                        ? ENOENT
                        : spill_open_directory(options.spill_directory, options.spill_quota_bytes, (uid_t)options.guard_uid);
  struct limit_facts limits = limits_open();
  struct guard_facts guard = guard_raise(options.guard_uid);
  guard.subreaper = guard.subreaper && options.subreaper;
  if ((errno = tree_open()) != 0) fatal("/proc");
  struct command_settings settings = {
      .spawn = {.command_oom_score_adj = guard.command_oom_score_adj, .subreaper = guard.subreaper},
      .max_commands = options.max_commands,
      .guard_uid = guard.guard_uid ? options.guard_uid : UINT32_MAX,
      .null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC)};
  if (settings.null_fd < 0) fatal("/dev/null");
  open_host_streams();
  poller_add(children_fd, EPOLLIN, 0, WATCH_CHILDREN);
  channels_open(&settings, &outbox);
  say_hello(&options, &guard, build, &limits, spill_error);
  run(children_fd);
}
