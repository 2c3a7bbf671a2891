"""Ctrl-C for the tests of interruptions: a shell starts programs in the background without it."""

import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
