//! Sums of exponentials, recurrences, streams, chunks and meshes.

mod chunked;
mod meshes;
mod recurrence;
mod stream;
mod sum_of_exponentials;
