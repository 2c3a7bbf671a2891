//! Time- and space-fractional partial differential equations on boxes and graphs.
#![forbid(unsafe_code)]
