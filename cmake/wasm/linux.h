// Included before every file of a build for WebAssembly: what Linux has and WASI has not. Each says "no", and the callers do without.
#pragma once
#ifdef __cplusplus
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
extern "C" {
// sched.h, pthread.h
struct cpu_set_t { unsigned bits; };
#define CPU_CLR(k, set) ((set)->bits &= ~1u)
#define CPU_COUNT(set) static_cast<int>((set)->bits)
inline int sched_getcpu() { return -1; }
inline int sched_getaffinity(int, std::size_t, cpu_set_t* set) { return set->bits = 1, 0; }  // one core
inline int pthread_setaffinity_np(pthread_t, std::size_t, const cpu_set_t*) { return -1; }
// malloc.h
#define M_MMAP_THRESHOLD 0
#define M_TRIM_THRESHOLD 0
#define M_TOP_PAD 0
inline int mallopt(int, int) { return 0; }
// files
#define O_TMPFILE 0
#define LOCK_EX 2
#define LOCK_NB 4
#define GLOB_BRACE 0
#define GLOB_TILDE 0
#define F_DUPFD_CLOEXEC 1030
inline int flock(int, int) { return 0; }
inline mode_t umask(mode_t) { return 022; }
inline int fchmod(int, mode_t) { return 0; }
// A spool file is a file like others: whoever runs the module gives it a folder in memory.
inline int mkostemp(char* name, int) {
    static unsigned made = 0;
    std::size_t size = 0;
    while (name[size] != 0) ++size;
    for (unsigned number = ++made, k = 1; k <= 6 && k <= size; ++k, number /= 10) name[size - k] = static_cast<char>('0' + number % 10);
    return open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
}
// WASI cannot copy a file's number: standard input, the only one that is copied, is opened by its name.
inline int suffice_copy_of_input(int, int, int) { return open("/dev/stdin", O_RDONLY); }
#define fcntl(file, command, least) suffice_copy_of_input(file, command, least)
inline ssize_t copy_file_range(int, off_t*, int, off_t*, std::size_t, unsigned) { errno = ENOSYS; return -1; }
// dlfcn.h
struct Dl_info { const char* dli_fname; void* dli_fbase; const char* dli_sname; void* dli_saddr; };
inline int dladdr(const void*, Dl_info*) { return 0; }
}
#endif
