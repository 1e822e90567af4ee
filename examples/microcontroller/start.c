/* Starts a Cortex-M without an operating system: vectors, memory, and text to whoever debugs it (semihosting, which QEMU answers). */
#include <stdint.h>

extern uint32_t data_begin, data_end, data_stored, bss_begin, bss_end, stack_top;
int main(void);

static int ask(int operation, const void *argument) {
    register int r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

void put(const char *text) { (void)ask(4, text); } /* SYS_WRITE0 */

void reset(void) {
    uint32_t *to;
    const uint32_t *from = &data_stored;
    for (to = &data_begin; to < &data_end; ++to) *to = *from++;
    for (to = &bss_begin; to < &bss_end; ++to) *to = 0;
    (void)main();
    (void)ask(24, (const void *)0x20026); /* SYS_EXIT: the application is done */
    for (;;) {
    }
}

__attribute__((section(".vectors"), used)) static const uintptr_t vectors[] = {(uintptr_t)&stack_top, (uintptr_t)&reset};
