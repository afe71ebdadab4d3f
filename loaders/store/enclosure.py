"""A process gives up what it will not need: connections to anywhere, and memory beyond a bound."""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import struct

_NO_NEW_PRIVILEGES, _SECCOMP, _FILTER = 38, 22, 2
"""Of `prctl`: PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER."""

_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
"""Of a filter: load a word, jump if equal, jump if not below, return."""

_ALLOWED, _REFUSED = 0x7FFF0000, 0x00050000 | 13
"""What a filter returns: go on, or fail with EACCES."""

_MACHINES = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
"""How the kernel calls a machine, and the number of its call `socket`."""

_OTHER_CALLS = 0x40000000
"""From here on calls have numbers of another kind (x32), which nobody needs."""


def without_network() -> bool:
    """Let this process, and the threads that it starts from now on, make no socket; tell whether it worked.

    It works on Linux, for the machines that are known here; nothing needs to be allowed for it.
    """
    known = _MACHINES.get(platform.machine())
    if known is None or platform.system() != "Linux":
        return False
    machine, socket = known
    steps = (
        (_LOAD, 0, 0, 4),  # the machine of the call
        (_EQUAL, 0, 4, machine),
        (_LOAD, 0, 0, 0),  # its number
        (_EQUAL, 2, 0, socket),
        (_AT_LEAST, 1, 0, _OTHER_CALLS),
        (_RETURN, 0, 0, _ALLOWED),
        (_RETURN, 0, 0, _REFUSED),
    )
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(steps), ctypes.addressof(code)))
    call = ctypes.CDLL(None, use_errno=True).prctl
    call.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
    return not (
        call(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) or call(_SECCOMP, _FILTER, ctypes.addressof(program), 0, 0)
    )


def with_memory(more: int) -> None:
    """Let this process ask for so many bytes more than now, where the system tells how many these are."""
    if os.path.exists("/proc/self/statm"):
        with open("/proc/self/statm", encoding="ascii") as file:
            used = int(file.read().split()[0]) * resource.getpagesize()
        limit(resource.RLIMIT_AS, used + more)


def limit(what: int, soft: int) -> None:
    """Lower, or raise again, what this process may use of something, as far as it was allowed that."""
    _, hard = resource.getrlimit(what)
    resource.setrlimit(what, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))
