mod antithetic;
mod checkpoints;
mod multilevel;
mod ranks;
mod solves;
