/*
 * For LD_PRELOAD: adds an offset to the wall clocks, and to nothing else. The offset is a 64-bit
 * number of nanoseconds at the start of the file that the variable HOLDFAST_CLOCK names; it is
 * mapped, so that a change is seen at once.
 *
 * No malloc and no libc time calls in here: a server's allocator may ask for the time while it
 * starts.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL

static volatile int64_t *offset;
static int tried;

static int64_t nanos(void) {
  if (!offset && !tried) {
    tried = 1;
    char *path = getenv("HOLDFAST_CLOCK");
    int file = path ? open(path, O_RDONLY) : -1;
    if (file >= 0) {
      void *page = mmap(0, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
      close(file);
      if (page != MAP_FAILED) offset = page;
    }
  }
  return offset ? *offset : 0;
}

static void add(struct timespec *t) {
  int64_t by = nanos();
  int64_t rest = t->tv_nsec + by % SECOND;
  t->tv_sec += by / SECOND;
  if (rest < 0) {
    rest += SECOND;
    t->tv_sec--;
  } else if (rest >= SECOND) {
    rest -= SECOND;
    t->tv_sec++;
  }
  t->tv_nsec = rest;
}

int clock_gettime(clockid_t clock, struct timespec *t) {
  long failed = syscall(SYS_clock_gettime, clock, t);
  if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) add(t);
  return failed;
}

int gettimeofday(struct timeval *restrict tv, void *restrict zone) {
  (void)zone;
  struct timespec t;
  if (clock_gettime(CLOCK_REALTIME, &t)) return -1;
  if (tv) {
    tv->tv_sec = t.tv_sec;
    tv->tv_usec = t.tv_nsec / 1000;
  }
  return 0;
}

time_t time(time_t *out) {
  struct timespec t;
  if (clock_gettime(CLOCK_REALTIME, &t)) return -1;
  if (out) *out = t.tv_sec;
  return t.tv_sec;
}
