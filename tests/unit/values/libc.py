"""The C library itself, to compare with."""

import ctypes
import platform

import pytest

needs_glibc = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="compares with glibc")


def strtod(text: str) -> tuple[float, int]:
    function = ctypes.CDLL(None).strtod
    function.restype = ctypes.c_double
    function.argtypes = [ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p)]
    buffer = ctypes.create_string_buffer(text.encode())
    end = ctypes.c_void_p()
    value = function(ctypes.cast(buffer, ctypes.c_char_p), ctypes.byref(end))
    return float(value), int(end.value or 0) - ctypes.addressof(buffer)


def strtol(text: str, base: int) -> tuple[int, int]:
    function = ctypes.CDLL(None).strtol
    function.restype = ctypes.c_long
    function.argtypes = [ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p), ctypes.c_int]
    buffer = ctypes.create_string_buffer(text.encode())
    end = ctypes.c_void_p()
    value = function(ctypes.cast(buffer, ctypes.c_char_p), ctypes.byref(end), base)
    return int(value), int(end.value or 0) - ctypes.addressof(buffer)


def fnmatch(pattern: str, text: str) -> bool:
    return bool(ctypes.CDLL(None).fnmatch(pattern.encode(), text.encode(), 0) == 0)
